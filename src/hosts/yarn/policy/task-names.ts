import { type TaskId, taskId } from "../../../model/ids.ts";

/** A job's tasks by Hadoop's names; maps come first. */
export class PlanTaskNames {
  readonly #maps: number;
  readonly #reduces: number;

  constructor(maps: number, reduces: number) {
    this.#maps = maps;
    this.#reduces = reduces;
  }

  /** For instance `m_000003`; Hadoop writes six digits or more. */
  nameOf(id: TaskId): string {
    const isMap = id < this.#maps;
    const index = isMap ? id : id - this.#maps;
    return `${isMap ? "m" : "r"}_${String(index).padStart(6, "0")}`;
  }

  /** Undefined if the job has no such task. */
  find(name: string): TaskId | undefined {
    const [, kind, digits] = /^([mr])_(\d+)$/.exec(name) ?? [];
    const index = Number(digits);
    if (kind === undefined || index >= (kind === "m" ? this.#maps : this.#reduces)) {
      return undefined;
    }
    return taskId(kind === "m" ? index : this.#maps + index);
  }

  kindOf(id: TaskId): "map" | "reduce" {
    return id < this.#maps ? "map" : "reduce";
  }

  get hasReduces(): boolean {
    return this.#reduces > 0;
  }
}
