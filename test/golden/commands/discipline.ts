import { pull } from "../../../src/core/index.ts";
import { parseDiscipline } from "../../../src/policy/discipline.ts";
import { type Discipline, defaultsOf, type Used, use } from "../../../src/policy/policy.ts";
import { scriptedData, scriptedProtection, scriptedSpeculation } from "../policies/scripted.ts";
import { testSharing } from "../policies/sharing.ts";
import type { Commands, Script } from "../script.ts";

/** The policies that decide; all before the first event. */
export const disciplineCommands: Commands = {
  /** discipline late,sharing=fifo-plain speculation.speculativeCap=0.2: as on the command line. */
  discipline(script, line) {
    const [text = "", ...sets] = line.words;
    script.changeSetup({ discipline: parseDiscipline(text, sets) });
  },

  /** sharing node=5s rack=5s jobsMax=1 farMax=1 slotsMax=1: a small policy with these limits. */
  sharing(script, line) {
    const defaults = defaultsOf(testSharing);
    const params = {
      nodeMs: line.duration("node") ?? defaults.nodeMs,
      rackMs: line.duration("rack") ?? defaults.rackMs,
      jobsMax: line.number("jobsMax") ?? defaults.jobsMax,
      farMax: line.number("farMax") ?? defaults.farMax,
      slotsMax: line.number("slotsMax") ?? defaults.slotsMax,
    };
    change(script, { sharing: use(testSharing, params) });
  },

  /**
   * pull tick=15s [placement=yes]: the speculation policy is adapted to a host that offers no
   * slots.
   */
  pull(script, line) {
    const { speculation } = script.setup.discipline;
    const tickMs = line.duration("tick") ?? line.fail("expected tick=TIME");
    const placement = line.option("placement") === "yes";
    const policy = pull(speculation.policy, { tickMs, placement });
    change(script, { speculation: { policy, params: speculation.params } });
  },

  /** ask 10s request j/map/0 speculative only n2: the asks of a scripted speculation policy. */
  ask(script, line) {
    const { speculation } = script.setup.discipline;
    const { racks } = script.setup;
    const asks = [...asksOf(speculation), line.words.join(" ")];
    change(script, { speculation: use(scriptedSpeculation, { asks, racks }) });
  },

  /**
   * data ready@j/reduce prefer j/reduce/0 r1: a scripted data policy. `lost=own` lets it decide
   * about lost outputs; `slowstart=1` sets when readers start.
   */
  data(script, line) {
    const [before] = script.setup.discipline.data;
    const { racks } = script.setup;
    const asks = [...asksOf(before), line.words.join(" ")].filter((text) => text !== "");
    const slowstart = line.number("slowstart") ?? 0;
    const owns = line.option("lost") === "own" || before?.policy === scriptedProtection;
    const policy = owns ? scriptedProtection : scriptedData;
    change(script, { data: [use(policy, { asks, racks, slowstart })] });
  },
};

const asksOf = (used: Used<object> | undefined): readonly string[] =>
  used !== undefined && "asks" in used.params && Array.isArray(used.params.asks)
    ? used.params.asks
    : [];

function change(script: Script, seats: Partial<Discipline>): void {
  script.changeSetup({ discipline: { ...script.setup.discipline, ...seats } });
}
