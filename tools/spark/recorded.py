"""What an event log of Spark says of its jobs and attempts, and what these would have taken."""

import heapq
import json


def list_schedule(seconds, slots):
    """When the last task ends if each takes the slot that is free first."""
    free = list(slots)
    heapq.heapify(free)
    for each in seconds:
        heapq.heapreplace(free, free[0] + each)
    return max(free)


def events_of(log):
    return [json.loads(line) for line in log.splitlines()]


def job_seconds(log):
    """How long each job took, in their order."""
    events = events_of(log)
    begun = {
        event["Job ID"]: event["Submission Time"]
        for event in events
        if event["Event"] == "SparkListenerJobStart"
    }
    return [
        (event["Completion Time"] - begun[event["Job ID"]]) / 1000
        for event in events
        if event["Event"] == "SparkListenerJobEnd"
    ]


def attempts_of(log):
    """The attempts of each stage in the order in which they began: where, how long, which."""
    stages = {}
    for event in events_of(log):
        if event["Event"] == "SparkListenerTaskEnd":
            info = event["Task Info"]
            took = (info["Finish Time"] - info["Launch Time"]) / 1000
            attempt = (info["Launch Time"], took, info["Host"], info["Index"])
            stages.setdefault(event["Stage ID"], []).append(attempt)
    return {stage: sorted(attempts) for stage, attempts in stages.items()}


def longer_s(log, extra_s, slots):
    """What the stages took longer since each attempt (stage, order, host, index) took longer."""
    total = 0
    for stage, attempts in attempts_of(log).items():
        as_ran = [took for _, took, _, _ in attempts]
        without = [
            took - extra_s(stage, order, host, index)
            for order, (_, took, host, index) in enumerate(attempts)
        ]
        total += list_schedule(as_ran, [0] * slots) - list_schedule(without, [0] * slots)
    return total
