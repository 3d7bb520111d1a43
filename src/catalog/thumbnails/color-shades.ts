import { splitWords } from '../search/search-term.ts'

/** Approximate shades of the makers' color words. */
const SHADE_BY_COLOR: Readonly<Record<string, string>> = {
  black: '#2b2c30',
  blackcherry: '#4a1f2b',
  midnight: '#262b38',
  graphite: '#55565a',
  gray: '#8a8c91',
  grey: '#8a8c91',
  lightgray: '#c5c7cb',
  slate: '#5c6670',
  onyx: '#35363a',
  obsidian: '#303236',
  charcoal: '#414348',
  carbon: '#3b3d42',
  white: '#f3f3f0',
  snow: '#f6f6f4',
  porcelain: '#efece6',
  pearl: '#ece8e0',
  marble: '#e9e6e0',
  cloud: '#e8ebef',
  starlight: '#efe8db',
  cream: '#f1e6cf',
  beige: '#dccdb4',
  sandstone: '#d9c6a8',
  silver: '#d5d8dc',
  platinum: '#d3d4d6',
  titanium: '#b4aea5',
  natural: '#b9b0a2',
  stone: '#b3aca1',
  gold: '#e7cfa4',
  bronze: '#b3886a',
  copper: '#b8774f',
  desert: '#bd9a80',
  rose: '#e8bfb6',
  pink: '#f2bcc4',
  pinkgold: '#e9c0b0',
  peach: '#f3bf9f',
  peony: '#e88c97',
  blush: '#eec3bd',
  coral: '#f08a72',
  flamingo: '#ef8a8f',
  coralred: '#e0524b',
  red: '#c22a31',
  burgundy: '#6d2334',
  orange: '#ef7f3c',
  tangerine: '#f0883a',
  amber: '#e0a44a',
  yellow: '#f6dd7a',
  lemon: '#f0e38a',
  citrus: '#d9e07a',
  lime: '#bfd86a',
  green: '#7f9c84',
  jadegreen: '#6fa58c',
  jade: '#6fa58c',
  mint: '#bfe3d0',
  sage: '#b3bfa6',
  olive: '#7c7f5c',
  alpine: '#5d6f5c',
  hazel: '#8a8f86',
  teal: '#5f9ea0',
  aloe: '#a9d2b5',
  sky: '#b3d4ea',
  blue: '#6f93b8',
  sierra: '#a9c3d6',
  pacific: '#43586a',
  iceblue: '#c6dcea',
  icyblue: '#c6dcea',
  bay: '#8fb6dc',
  cobalt: '#3a5a9b',
  navy: '#2d3a57',
  ocean: '#4a7f9c',
  sapphire: '#3f5f96',
  indigo: '#4c4f86',
  ultramarine: '#7d92d6',
  purple: '#8c7ba6',
  violet: '#a99bc9',
  lavender: '#cfc5e3',
  lilac: '#cdbfe0',
  orchid: '#c9a3c9',
  brown: '#6f5646',
  neon: '#d7f05a',
}

/**
 * The last color word decides, and a material only without one: "Blue Titanium" is blue. Joined names such as Jetblack or
 * Icyblue are recognised by their ending.
 */
export function shadeForColor(color: string): string | null {
  const isMaterial = (word: string) => word === 'titanium'
  const words = splitWords(color).reverse()
  for (const word of [...words.filter((word) => !isMaterial(word)), ...words.filter(isMaterial)]) {
    const shade = Object.hasOwn(SHADE_BY_COLOR, word) ? SHADE_BY_COLOR[word] : undefined
    if (shade) return shade
  }
  for (const word of words) {
    for (const ending of ['black', 'blue', 'silver', 'white', 'green', 'gray', 'red', 'gold', 'pink']) {
      if (word.endsWith(ending)) return SHADE_BY_COLOR[ending] ?? null
    }
  }
  return null
}
