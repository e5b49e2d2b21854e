//! The workload W1 on DSLab's simcore: `w1 JOBS TASKS_PER_JOB SLOTS` prints the sum of the jobs'
//! completion times and the end of the last job, in ms, as one line of JSON. One component handles
//! all events, as simcore's own examples do.

use std::{cell::RefCell, collections::VecDeque, env, rc::Rc};

use serde::Serialize;
use simcore::{cast, Event, EventHandler, Simulation, SimulationContext};

const SEED: u32 = 1;
const LOAD: f64 = 0.8;
const SHAPE: f64 = 1.5;
const SHORTEST_MS: f64 = 1e4;
const LONGEST_MS: f64 = 1e7;

#[derive(Clone, Serialize)]
struct JobArrives {}

#[derive(Clone, Serialize)]
struct TaskEnds {
    job: usize,
}

/// The generator mulberry32.
struct Random(u32);

impl Random {
    /// Uniform in [0, 1).
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x6D2B_79F5);
        let mut t = (self.0 ^ (self.0 >> 15)).wrapping_mul(1 | self.0);
        t = t.wrapping_add((t ^ (t >> 7)).wrapping_mul(61 | t)) ^ t;
        f64::from(t ^ (t >> 14)) / 4_294_967_296.0
    }
}

struct Job {
    arrived_at: f64,
    unfinished: u32,
}

/// A first-come, first-served cluster of identical slots.
struct Cluster {
    context: SimulationContext,
    arrivals: Random,
    durations: Random,
    gap_ms: f64,
    next_arrival: f64,
    jobs_to_come: u32,
    tasks_per_job: u32,
    free_slots: u32,
    jobs: Vec<Job>,
    /// Jobs with waiting tasks, and how many of them wait.
    queue: VecDeque<(usize, u32)>,
    sum_jct: f64,
    makespan: f64,
}

impl Cluster {
    fn await_next_job(&mut self) {
        if self.jobs_to_come == 0 {
            return;
        }
        self.jobs_to_come -= 1;
        self.next_arrival += -(1.0 - self.arrivals.next()).ln() * self.gap_ms;
        let delay = self.next_arrival.ceil() - self.context.time();
        self.context.emit_self(JobArrives {}, delay);
    }

    fn duration_ms(&mut self) -> f64 {
        let uniform = 1.0 - self.durations.next();
        (SHORTEST_MS / uniform.powf(1.0 / SHAPE)).ceil().min(LONGEST_MS)
    }

    fn fill_slots(&mut self) {
        while self.free_slots > 0 {
            let Some((job, waiting)) = self.queue.front_mut() else {
                return;
            };
            let job = *job;
            *waiting -= 1;
            if *waiting == 0 {
                self.queue.pop_front();
            }
            self.free_slots -= 1;
            let duration = self.duration_ms();
            self.context.emit_self(TaskEnds { job }, duration);
        }
    }

    fn job_arrives(&mut self, now: f64) {
        self.queue.push_back((self.jobs.len(), self.tasks_per_job));
        self.jobs.push(Job {
            arrived_at: now,
            unfinished: self.tasks_per_job,
        });
        self.await_next_job();
        self.fill_slots();
    }

    fn task_ends(&mut self, index: usize, now: f64) {
        self.free_slots += 1;
        let job = &mut self.jobs[index];
        job.unfinished -= 1;
        if job.unfinished == 0 {
            self.sum_jct += now - job.arrived_at;
            self.makespan = now;
        }
        self.fill_slots();
    }
}

impl EventHandler for Cluster {
    fn on(&mut self, event: Event) {
        let now = event.time;
        cast!(match event.data {
            JobArrives {} => {
                self.job_arrives(now);
            }
            TaskEnds { job } => {
                self.task_ends(job, now);
            }
        })
    }
}

/// The mean of the Pareto distribution that is cut off at the longest time.
fn mean_ms() -> f64 {
    SHAPE * SHORTEST_MS / (SHAPE - 1.0)
        - SHORTEST_MS.powf(SHAPE) * LONGEST_MS.powf(1.0 - SHAPE) / (SHAPE - 1.0)
}

fn main() {
    let size: Vec<u32> = env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("a whole number"))
        .collect();
    let &[jobs, tasks_per_job, slots] = size.as_slice() else {
        panic!("usage: w1 JOBS TASKS_PER_JOB SLOTS");
    };
    let mut simulation = Simulation::new(u64::from(SEED));
    let context = simulation.create_context("cluster");
    let cluster = Rc::new(RefCell::new(Cluster {
        context,
        arrivals: Random(SEED),
        durations: Random(SEED ^ 0x9e37_79b9),
        gap_ms: f64::from(tasks_per_job) * mean_ms() / (f64::from(slots) * LOAD),
        next_arrival: 0.0,
        jobs_to_come: jobs,
        tasks_per_job,
        free_slots: slots,
        jobs: Vec::new(),
        queue: VecDeque::new(),
        sum_jct: 0.0,
        makespan: 0.0,
    }));
    simulation.add_handler("cluster", cluster.clone());
    cluster.borrow_mut().await_next_job();
    simulation.step_until_no_events();
    let cluster = cluster.borrow();
    println!(
        "{{\"sumJct\": {}, \"makespan\": {}}}",
        cluster.sum_jct, cluster.makespan
    );
}
