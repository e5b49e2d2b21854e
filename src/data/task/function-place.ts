import { Session } from "node:inspector";
import { fileURLToPath } from "node:url";

/**
 * The file and line in which a function begins, from the engine itself; undefined if the function
 * is not the user's, or the place is unknown. COST: looks through all scripts; for errors only.
 */
export function functionPlace(of: object): string | undefined {
  const session = new Session();
  session.connect();
  try {
    return placeOf(of, session);
  } finally {
    Reflect.deleteProperty(globalThis, ASKED);
    session.disconnect();
  }
}

/** The key under which the inspector finds the function. */
const ASKED = Symbol.for("broomwagon.function-place");

/** Answers arrive before `post` returns, since the inspector is this thread's own. */
function placeOf(of: object, session: Session): string | undefined {
  const scripts = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url));
  session.post("Debugger.enable");
  Reflect.set(globalThis, ASKED, of);
  let objectId: string | undefined;
  const expression = `globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(ASKED))})]`;
  session.post("Runtime.evaluate", { expression }, (_, { result }) => {
    objectId = result.objectId;
  });
  let place: string | undefined;
  // A bound function has a target, which may itself be bound.
  while (objectId !== undefined) {
    let target: string | undefined;
    session.post("Runtime.getProperties", { objectId, ownProperties: true }, (_, found) => {
      for (const { name, value } of found.internalProperties ?? []) {
        if (name === "[[TargetFunction]]") target = value?.objectId;
        if (name === "[[FunctionLocation]]") place = textOf(value?.value, scripts);
      }
    });
    objectId = target;
  }
  return place;
}

/** `location`: a script's number and a line, from 0. */
function textOf(location: unknown, scripts: ReadonlyMap<string, string>): string | undefined {
  if (typeof location !== "object" || location === null) return undefined;
  const { scriptId, lineNumber } = { scriptId: "", lineNumber: -1, ...location };
  const where = scripts.get(scriptId);
  if (where === undefined || where === "") return undefined;
  const file = where.startsWith("file://") ? fileURLToPath(where) : where;
  return `${file}:${lineNumber + 1}`;
}
