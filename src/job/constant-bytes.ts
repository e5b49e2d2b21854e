/** The tags of null, false and true, both as keys and as values. */
export const CONSTANT_TAG = { null: 0x01, false: 0x02, true: 0x03 } as const;

export function tagOfConstant(constant: boolean | null): number {
  if (constant === null) return CONSTANT_TAG.null;
  return constant ? CONSTANT_TAG.true : CONSTANT_TAG.false;
}

/** Undefined if the tag belongs to something else. */
export function constantOf(tag: number | undefined): boolean | null | undefined {
  switch (tag) {
    case CONSTANT_TAG.null:
      return null;
    case CONSTANT_TAG.false:
      return false;
    case CONSTANT_TAG.true:
      return true;
    default:
      return undefined;
  }
}
