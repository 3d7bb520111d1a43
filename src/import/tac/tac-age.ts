/**
 * When a TAC was assigned, as far as its digits show. Until 2020 the reporting bodies counted upwards: the last two digits
 * rose by one every year or so. Since then codes are drawn from the whole range.
 */

/** The last year in which the body assigned codes with this ending. */
const LAST_YEAR_BY_SUFFIX: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // Fits 5,500 codes of Samsung devices with known release dates, except some twenty that other lists contradict too.
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
/** Bodies that assigned none after about 2004. */
const RETIRED_BODIES = new Set('10 30 33 44 45 49 50 51 52 53 54 91'.split(' '))
const RETIRED_YEAR = 2005
const SEQUENTIAL_UNTIL = 2019

/**
 * Whether the code was assigned more than a year before the device was on sale. Makers reuse names (a Nokia C3 of 2010,
 * another of 2020), and lists contain errors.
 */
export function isTacOlderThanDevice(tac: string, releasedOn: string | null): boolean {
  if (releasedOn === null) return false
  const released = Number(releasedOn.slice(0, 4))
  if (RETIRED_BODIES.has(tac.slice(0, 2))) return released > RETIRED_YEAR
  const last = LAST_YEAR_BY_SUFFIX[tac.slice(0, 2)]?.[tac.slice(6)]
  return last !== undefined && released <= SEQUENTIAL_UNTIL && released > last + 1
}

/** Whether the code looks like one of the sequential era; about one in ten later codes does by chance. */
export function hasSequentialEraDigits(tac: string): boolean {
  return RETIRED_BODIES.has(tac.slice(0, 2)) || LAST_YEAR_BY_SUFFIX[tac.slice(0, 2)]?.[tac.slice(6)] !== undefined
}
