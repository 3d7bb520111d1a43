/**
 * Plants by the first characters of an Apple serial number, from the table that repair forums and security wikis repeat.
 * Holds only plants that several of them name; any other plant stays a bare code.
 */
const PLANTS: readonly (readonly [code: string, place: string])[] = [
  ['C0', 'Quanta, China'],
  ['C3', 'Foxconn, Shenzhen'],
  ['C7', 'Pegatron, Shanghai'],
  ['CK', 'Cork, Ireland'],
  ['DL', 'Foxconn, China'],
  ['DM', 'Foxconn, China'],
  ['DN', 'Foxconn, Chengdu'],
  ['F1', 'Foxconn, Zhengzhou'],
  ['F2', 'Foxconn, Zhengzhou'],
  ['FK', 'Foxconn, Zhengzhou'],
  ['RM', 'refurbished'],
  ['RN', 'Mexico'],
  ['SG', 'Singapore'],
  ['VM', 'Foxconn, Czech Republic'],
  ['W8', 'Shanghai, China'],
  ['YM', 'Foxconn, China'],
]

const BY_CODE = new Map(PLANTS)

export function findApplePlant(code: string): string | null {
  return BY_CODE.get(code.slice(0, 2)) ?? null
}
