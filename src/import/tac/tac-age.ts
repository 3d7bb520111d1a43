/**
 * When a TAC was given out, as far as its digits tell. Until 2020 the bodies counted upwards: the last two digits of a code
 * rose by one every year or so. Since then codes are drawn from the whole range, so late devices have any digits.
 */

/** The last year in which the body gave out codes that end so. */
const LAST_YEAR_BY_SUFFIX: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // Fits 5,500 codes of Samsung devices whose days are known, but for some twenty that other lists contradict as well.
  '35': {
    '00': 2010,
    '01': 2010,
    '02': 2010,
    '03': 2010,
    '04': 2011,
    '05': 2013,
    '06': 2014,
    '07': 2016,
    '08': 2017,
    '09': 2018,
    '10': 2019,
  },
  '86': { '00': 2011, '01': 2013 },
}
/** Bodies that gave out none after 2004 or so. */
const RETIRED_BODIES = new Set('10 30 33 44 45 49 50 51 52 53 54 91'.split(' '))
const RETIRED_YEAR = 2005
const SEQUENTIAL_UNTIL = 2019

/**
 * Whether the code was given out before anybody thought of the device: more than a year before it was on sale. Makers use
 * a name again (a Nokia C3 of 2010, another of 2020), and lists carry mistakes.
 */
export function isTacOlderThanDevice(tac: string, releasedOn: string | null): boolean {
  if (releasedOn === null) return false
  const released = Number(releasedOn.slice(0, 4))
  if (RETIRED_BODIES.has(tac.slice(0, 2))) return released > RETIRED_YEAR
  const last = LAST_YEAR_BY_SUFFIX[tac.slice(0, 2)]?.[tac.slice(6)]
  return last !== undefined && released <= SEQUENTIAL_UNTIL && released > last + 1
}

/** Whether the code has the digits of those that were counted; one in ten or so of the later ones has them by chance. */
export function hasSequentialEraDigits(tac: string): boolean {
  return RETIRED_BODIES.has(tac.slice(0, 2)) || LAST_YEAR_BY_SUFFIX[tac.slice(0, 2)]?.[tac.slice(6)] !== undefined
}
