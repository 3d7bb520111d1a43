/** The scale of a row of four-bit numbers, from one byte: steps of a sixth of an octave. */
export const scaleOf = (byte: number) => 2 ** (byte / 6 - 36)
