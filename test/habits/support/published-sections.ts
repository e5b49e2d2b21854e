/** Where the numbers of each section of the collected figures stand in `figures.json`. */
export const SECTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["late.constants", []],
  ["late.table2_ec2_disk_write_MBps_by_vms_per_host", ["table2"]],
  ["late.s5_1_2_application_contention", ["s5.1.2"]],
  ["late.table3_heterogeneous_cluster", []],
  ["late.fig3_ec2_sort_heterogeneous", ["fig3"]],
  ["late.fig4_ec2_sort_stragglers", ["fig4"]],
  ["late.fig5_ec2_grep_stragglers", ["fig5"]],
  ["late.fig6_ec2_wordcount_stragglers", ["fig6"]],
  ["late.table4_local_disk_write_MBps_by_vms_per_host", ["table4"]],
  ["late.table5_local_cluster", []],
  ["late.fig7_local_sort_heterogeneous", ["fig7"]],
  ["late.fig8_local_sort_stragglers", ["fig8"]],
  ["late.s5_4_sensitivity", ["fig10", "fig11", "fig12"]],
  ["late.fig2_misestimate", ["fig2"]],
  ["late.s5_4_3_slow_node_example", ["s5.4.3"]],
  ["late.s3_2_reducer_example", ["s3.2"]],
  ["mantri.constants", []],
  [
    "mantri.s3_s4_cluster_characteristics",
    ["s3.1", "s3.2", "s4.2", "s4.3", "fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8"],
  ],
  ["mantri.table2_logs", ["table2"]],
  ["mantri.fig10_example", ["fig10"]],
  ["mantri.fig13_production", ["fig13"]],
  ["mantri.fig14_placement_production", ["fig14"]],
  ["mantri.fig15_preproduction", ["fig15"]],
  ["mantri.s6_2_estimator", ["s6.2"]],
  ["mantri.fig16_stragglers", ["fig16"]],
  ["mantri.fig17_late_acting_early", ["fig17"]],
  ["mantri.fig18_ideal", ["fig18"]],
  ["mantri.fig19_placement", ["fig19"]],
  ["mantri.fig20_throughput_ratio_median_to_slowest", ["fig20"]],
  ["mantri.fig21_recompute", ["fig21"]],
  ["mantri.fig22", ["fig22"]],
  ["mantri.fig23_cost", ["fig23"]],
  ["mantri.appendixA_table3_time_reduction", ["table3"]],
  ["mantri.theorem1", ["theorem1"]],
  ["mantri.simulator_cost", []],
  ["esplash.testbed", []],
  ["esplash.table1_motivation", ["table1"]],
  ["esplash.fig2_clustering", ["fig2"]],
  ["esplash.fig4_no_straggler", ["fig4"]],
  ["esplash.fig5_makespan_no_straggler", ["fig5"]],
  ["esplash.fig6_increased_makespan_straggler_level1", ["fig6"]],
  ["esplash.fig7_increased_makespan_straggler_level4", ["fig7"]],
  ["esplash.fig8_straggler_restarted", ["fig8"]],
  ["elephant.setup", []],
  ["elephant.table1_jobs", []],
  ["elephant.fig1_normal_s", ["fig1"]],
  ["elephant.fig1_stress_s", ["fig1"]],
  ["elephant.fig5_failure_s", ["fig5"]],
  ["elephant.failure_at_s", []],
  ["elephant.stress", []],
  ["elephant.orderings", ["fig2", "fig3", "fig4", "fig6", "fig7", "fig8"]],
]);

/** The numbers under these paths, with `*` for any text, describe the set-up, not results. */
const SET_UP: readonly string[] = [
  "late.constants.*",
  // The spread of measured rates is not modelled: every disk has the mean rate.
  "late.table*.sd",
  "late.table*.vms",
  "late.table*.vmsPerHost",
  "late.table*.hostsByVmsPerHost.*",
  "late.fig*.runs",
  "late.fig*.vms",
  "late.fig*.slowed",
  "late.s5_4_sensitivity.nodes",
  "late.s5_4_sensitivity.map_s",
  "late.s5_4_sensitivity.runsPerPoint",
  "late.s5_4_sensitivity.*Tried*",
  // An ordering: the response drops sharply there.
  "late.s5_4_sensitivity.best_cap",
  "late.fig2_misestimate.phase*",
  "late.fig2_misestimate.*_start_s",
  "late.fig2_misestimate.look_at_s",
  "late.s5_4_3_slow_node_example.*Node*",
  "late.s5_4_3_slow_node_example.*_task_min",
  "late.s5_4_3_slow_node_example.fastTask_min",
  "late.s5_4_3_slow_node_example.tasks",
  "late.s3_2_reducer_example.finishedFraction",
  "mantri.constants.*",
  "mantri.s3_s4_cluster_characteristics.serversPerRack",
  "mantri.fig10_example.tasks",
  "mantri.fig10_example.slots",
  "mantri.fig13_production.runsEach",
  "mantri.fig15_preproduction.jobs",
  "mantri.fig16_stragglers.phases_k",
  "mantri.appendixA_table3_time_reduction.*.beta",
  "mantri.appendixA_table3_time_reduction.*.n",
  "mantri.appendixA_table3_time_reduction.*.s",
  "esplash.testbed.*",
  "esplash.table1_motivation.nodes",
  "esplash.table1_motivation.jobs",
  "esplash.table1_motivation.mapsPerJob",
  "esplash.table1_motivation.reducesPerJob",
  "esplash.table1_motivation.tasks",
  "esplash.fig2_clustering.nodes*",
  "esplash.fig2_clustering.types",
  "esplash.fig8_straggler_restarted.*_s",
  "elephant.setup.*",
  "elephant.table1_jobs.*",
  "elephant.failure_at_s",
  "elephant.stress.*",
];

/** `figures.json` has the numbers of these paths in another form. */
const RESTATED: readonly string[] = [
  // As a share of all copies.
  "esplash.table1_motivation.assigned_back_to_slowest",
  // "reduces finished on slave3": 1, with the note that it is 0 elsewhere, and none killed.
  "esplash.table1_motivation.finished.reduce.0",
  "esplash.table1_motivation.finished.reduce.1",
  "esplash.table1_motivation.finished.reduce.3",
  "esplash.table1_motivation.killed.reduce.*",
];

const anyOf = (patterns: readonly string[]): ((path: string) => boolean) => {
  const expressions = patterns.map((pattern) => {
    const parts = pattern.split("*").map((part) => part.replaceAll(".", "\\."));
    return new RegExp(`^${parts.join(".*")}$`);
  });
  return (path) => expressions.some((expression) => expression.test(path));
};

export const isSetUp = anyOf(SET_UP);
export const isRestated = anyOf(RESTATED);
