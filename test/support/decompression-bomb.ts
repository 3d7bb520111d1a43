/** Brotli of 256 MiB of zeros; from byte 15 on, every 101 bytes hold 128 MiB. */
const ZEROS = Buffer.from(
  'z///fwAgAOKxQHLv//n//w8ABEAcFoDu/T////8BgACIwwLQvf/n//8/ABAAcVgAuvf//P//BwACIA4LQPf+n////wBAAMRhAeje//P//x8ACIA4LADd' +
    '+3/+//8DAAEQhwWge//P//9/ACAA4rAAdO//+f//DwAEQBwWgO79P////wGAAIjDAtC9/+f//z8AEABxWAC69//8//8HAAIgDgtA9/6f////AEAAxGEB' +
    '6N7/8///HwAIgDgsAN37//z//wcAARCHBaB7/w8=',
  'base64',
)
const PERIOD = ZEROS.subarray(15, 116)

/** 6.7 kB that decompress to 8 GiB. */
export const BROTLI_BOMB = new Uint8Array(
  Buffer.concat([ZEROS.subarray(0, 15), ...Array.from({ length: 64 }, () => PERIOD), ZEROS.subarray(15)]),
)

/** 128 kB that decompress to 4 GiB, when the members of a gzip file are read one after the other. */
export function gzipBomb(): Uint8Array<ArrayBuffer> {
  const member = Bun.gzipSync(new Uint8Array(64 * 1024 ** 2), { level: 9 })
  return new Uint8Array(Buffer.concat(Array.from({ length: 64 }, () => member)))
}
