/** The colours of canvases; `style/ground.css` has those of everything with words. */
export interface Inks {
  readonly paper: string;
  /** `paper` as a number, 0xRRGGBB. */
  readonly ground: number;
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly stripe: string;
  readonly silent: string;
  readonly late: string;
  readonly accent: string;
}

export const INKS: Readonly<Record<"light" | "dark", Inks>> = {
  light: {
    paper: "#ffffff",
    ground: 0xffffff,
    ink: "#17202b",
    faint: "#566270",
    line: "#e3e7eb",
    stripe: "#eff2f5",
    silent: "#d9dde2",
    late: "#b45309",
    accent: "#2563c4",
  },
  dark: {
    paper: "#1b2027",
    ground: 0x1b2027,
    ink: "#e7eaee",
    faint: "#a3adb9",
    line: "#323a45",
    stripe: "#232a33",
    silent: "#3a424d",
    late: "#f0a35a",
    accent: "#7fb0ff",
  },
};
