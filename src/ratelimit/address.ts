/**
 * The name under which requests without a valid key are counted. An IPv6 customer owns at least a /64, so counting single
 * addresses there would be no limit at all; an IPv4 address in IPv6 clothes is counted as the IPv4 address it is.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const plain = address.split('%', 1)[0]!.toLowerCase()
  const groups = groupsOf(plain)
  if (groups === undefined) return plain
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight 16-bit groups of a written IPv6 address. */
function groupsOf(address: string): number[] | undefined {
  const [before = '', after, ...more] = address.split('::')
  if (more.length > 0) return undefined
  const head = readGroups(before)
  const tail = after === undefined ? [] : readGroups(after)
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (after === undefined ? missing !== 0 : missing < 1) return undefined
  return [...head, ...new Array<number>(missing).fill(0), ...tail]
}

function readGroups(text: string): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  for (const part of text.split(':')) {
    if (/^[0-9a-f]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16))
    } else {
      const bytes = part.split('.').map(Number)
      if (bytes.length !== 4 || bytes.some((byte) => !(byte >= 0 && byte <= 255))) return undefined
      groups.push(bytes[0]! * 256 + bytes[1]!, bytes[2]! * 256 + bytes[3]!)
    }
  }
  return groups
}
