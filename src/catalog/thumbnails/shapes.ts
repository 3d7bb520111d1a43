import { foldText } from '../../lib/fold-text.ts'

/** Colors of a drawing: the body, its screen or lenses, lines and small parts on the body, and lines on the screen. */
export type Paint = { readonly body: string; readonly glass: string; readonly ink: string; readonly mark: string }

type Draw = (paint: Paint) => string

const box = (x: number, y: number, width: number, height: number, radius: number, fill: string, extraAttributes = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${extraAttributes}/>`
const dot = (x: number, y: number, radius: number, fill: string, extraAttributes = '') =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"${extraAttributes}/>`
const stroke = (path: string, color: string, width: number) =>
  `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
const outline = (paint: Paint) => ` stroke="${paint.ink}" stroke-opacity=".55" stroke-width="2"`

const lens = (p: Paint, x: number, y: number, radius: number) =>
  dot(x, y, radius, p.glass, outline(p)) +
  dot(x - radius * 0.25, y - radius * 0.25, radius * 0.28, p.mark, ' opacity=".6"')
const lenses = (p: Paint, radius: number, ...centers: readonly (readonly [number, number])[]) =>
  centers.map(([x, y]) => lens(p, x, y, radius)).join('')
const island = (p: Paint, x: number, y: number, width: number, height: number, radius: number) =>
  box(x, y, width, height, radius, p.ink, ' opacity=".16"')

/** The back of a phone with its cameras, behind its front. */
const phone = (p: Paint, cameras: string) =>
  box(92, 60, 82, 152, 18, p.body, outline(p)) +
  cameras +
  box(150, 64, 78, 148, 17, p.body, outline(p)) +
  box(155, 69, 68, 138, 13, p.glass) +
  box(179, 76, 20, 5, 2.5, p.mark, ' opacity=".5"')

/** Drawn around (160, 136), about 150 across. Camera layouts are generic, not a maker's design. */
const SHAPES = {
  phone: (p) => phone(p, island(p, 99, 68, 26, 58, 12) + lenses(p, 8.5, [112, 82], [112, 104])),
  'phone-single': (p) => phone(p, lenses(p, 8.5, [112, 80])),
  'phone-diagonal': (p) => phone(p, island(p, 98, 67, 46, 46, 13) + lenses(p, 9.5, [111, 80], [131, 100])),
  'phone-triple': (p) => phone(p, island(p, 98, 67, 48, 48, 14) + lenses(p, 9, [111, 80], [111, 102], [133, 91])),
  'phone-column': (p) => phone(p, lenses(p, 8.5, [112, 80], [112, 102], [112, 124]) + dot(130, 91, 3, p.ink)),
  'phone-pill': (p) => phone(p, island(p, 99, 67, 26, 54, 13) + lenses(p, 9, [112, 81], [112, 107])),
  'phone-bar': (p) => phone(p, box(93, 84, 80, 24, 4, p.ink, ' opacity=".3"') + lenses(p, 7.5, [108, 96], [126, 96])),
  'phone-disc': (p) =>
    phone(p, dot(122, 97, 24, p.ink, ' opacity=".22"') + lenses(p, 7.5, [112, 88], [130, 92], [119, 107])),
  flip: (p) =>
    box(116, 60, 88, 74, 14, p.body, outline(p)) +
    box(122, 66, 76, 66, 9, p.glass) +
    box(116, 138, 88, 74, 14, p.body, outline(p)) +
    box(122, 140, 76, 66, 9, p.glass) +
    box(124, 133, 72, 6, 3, p.ink, ' opacity=".45"'),
  keypad: (p) =>
    box(124, 62, 72, 152, 16, p.body, outline(p)) +
    box(132, 72, 56, 52, 5, p.glass) +
    stroke('M138 146h8M156 146h8M174 146h8M138 166h8M156 166h8M174 166h8M138 186h8M156 186h8M174 186h8', p.ink, 6),
  foldable: (p) =>
    box(84, 70, 74, 136, 14, p.body, outline(p)) +
    box(162, 70, 74, 136, 14, p.body, outline(p)) +
    box(90, 76, 140, 124, 9, p.glass) +
    stroke('M160 76v124', p.mark, 1.2),
  tablet: (p) =>
    box(94, 58, 132, 160, 16, p.body, outline(p)) +
    box(102, 66, 116, 144, 9, p.glass) +
    dot(160, 62, 1.8, p.ink, ' opacity=".6"'),
  reader: (p) =>
    box(104, 62, 112, 152, 12, p.body, outline(p)) +
    box(114, 72, 92, 116, 3, '#e9e8e2') +
    stroke('M124 90h72M124 106h72M124 122h56M124 138h72M124 154h64', '#6d6f72', 3) +
    dot(160, 201, 5, p.ink, ' opacity=".4"'),
  watch: (p) =>
    `<path d="M136 92l6-38h36l6 38zM136 180l6 38h36l6-38z" fill="${p.body}"${outline(p)} opacity=".75"/>` +
    box(118, 86, 84, 100, 26, p.body, outline(p)) +
    box(125, 93, 70, 86, 20, p.glass) +
    box(202, 116, 7, 24, 3.5, p.body, outline(p)) +
    stroke('M160 118v20l14 10', p.mark, 4),
  band: (p) =>
    `<path d="M143 92l5-40h24l5 40zM143 180l5 40h24l5-40z" fill="${p.body}"${outline(p)} opacity=".75"/>` +
    box(138, 84, 44, 104, 21, p.body, outline(p)) +
    box(144, 91, 32, 90, 16, p.glass) +
    stroke('M150 138h6l4-12 5 22 4-10h3', p.mark, 3),
  laptop: (p) =>
    box(90, 78, 140, 96, 9, p.body, outline(p)) +
    box(97, 85, 126, 82, 4, p.glass) +
    `<path d="M72 178h176l8 14a6 6 0 0 1-6 6H70a6 6 0 0 1-6-6z" fill="${p.body}"${outline(p)}/>` +
    box(142, 180, 36, 5, 2.5, p.ink, ' opacity=".25"'),
  desktop: (p) =>
    box(86, 66, 148, 104, 10, p.body, outline(p)) +
    box(94, 74, 132, 82, 5, p.glass) +
    `<path d="M146 170h28l6 32h-40z" fill="${p.body}"${outline(p)}/>` +
    box(124, 200, 72, 7, 3.5, p.body, outline(p)),
  earbuds: (p) =>
    `<path d="M112 92a22 22 0 1 1 36 17v54a9 9 0 0 1-18 0v-50a22 22 0 0 1-18-21z" fill="${p.body}"${outline(p)}/>` +
    `<path d="M208 92a22 22 0 1 0-36 17v54a9 9 0 0 0 18 0v-50a22 22 0 0 0 18-21z" fill="${p.body}"${outline(p)}/>` +
    `<ellipse cx="126" cy="92" rx="6" ry="9" fill="${p.glass}"/><ellipse cx="194" cy="92" rx="6" ry="9" fill="${p.glass}"/>` +
    box(112, 186, 96, 30, 15, p.body, outline(p)) +
    stroke('M112 199h96', p.ink, 1.5),
  headphones: (p) =>
    stroke('M100 160v-22a60 60 0 0 1 120 0v22', p.body, 13) +
    stroke('M100 160v-22a60 60 0 0 1 120 0v22', p.ink, 1.5) +
    box(82, 142, 38, 66, 18, p.body, outline(p)) +
    box(200, 142, 38, 66, 18, p.body, outline(p)) +
    box(112, 150, 12, 50, 6, p.glass) +
    box(196, 150, 12, 50, 6, p.glass),
  speaker: (p) =>
    `<path d="M112 92q0-18 48-18t48 18v92q0 18-48 18t-48-18z" fill="${p.body}"${outline(p)}/>` +
    `<ellipse cx="160" cy="92" rx="48" ry="16" fill="${p.glass}"/>` +
    stroke('M122 124h76M122 142h76M122 160h76M124 178h72', p.ink, 1.5),
  boombox: (p) =>
    box(70, 100, 180, 76, 38, p.body, outline(p)) +
    dot(106, 138, 24, p.glass, outline(p)) +
    dot(214, 138, 24, p.glass, outline(p)) +
    dot(106, 138, 9, p.mark, ' opacity=".35"') +
    dot(214, 138, 9, p.mark, ' opacity=".35"') +
    stroke('M142 126h36M142 138h36M142 150h36', p.ink, 2) +
    stroke('M112 100q0-16 16-16h64q16 0 16 16', p.body, 7),
  console: (p) =>
    `<path d="M106 108q54-16 108 0c20 6 34 56 34 78 0 24-26 26-38 4l-12-20h-76l-12 20c-12 22-38 20-38-4 0-22 14-72 34-78z" fill="${p.body}"${outline(p)}/>` +
    stroke('M112 140h24M124 128v24', p.ink, 7) +
    dot(196, 128, 6, p.ink) +
    dot(210, 142, 6, p.ink) +
    dot(182, 142, 6, p.ink) +
    dot(196, 156, 6, p.ink),
  handheld: (p) =>
    box(66, 92, 188, 92, 24, p.body, outline(p)) +
    box(106, 100, 108, 76, 6, p.glass) +
    stroke('M78 122h18M87 113v18', p.ink, 5) +
    dot(87, 156, 8, p.ink, ' opacity=".7"') +
    dot(233, 122, 8, p.ink, ' opacity=".7"') +
    dot(228, 152, 4, p.ink) +
    dot(238, 160, 4, p.ink),
  television: (p) =>
    box(72, 74, 176, 108, 8, p.body, outline(p)) +
    box(78, 80, 164, 96, 4, p.glass) +
    stroke('M120 182l-14 22M200 182l14 22', p.body, 6),
  streamer: (p) =>
    box(92, 142, 136, 44, 14, p.body, outline(p)) +
    dot(208, 164, 4, p.ink) +
    stroke('M138 124a31 31 0 0 1 44 0M148 112m-24-4a51 51 0 0 1 72 0', p.body, 6) +
    box(118, 161, 60, 6, 3, p.glass),
  camera: (p) =>
    `<path d="M84 102h36l12-18h56l12 18h36a10 10 0 0 1 10 10v76a10 10 0 0 1-10 10H84a10 10 0 0 1-10-10v-76a10 10 0 0 1 10-10z" fill="${p.body}"${outline(p)}/>` +
    dot(160, 148, 36, p.ink, ' opacity=".85"') +
    dot(160, 148, 26, p.glass) +
    dot(151, 139, 7, '#ffffff', ' opacity=".55"') +
    box(214, 112, 18, 10, 4, p.ink, ' opacity=".5"'),
  actioncam: (p) =>
    box(94, 90, 132, 96, 16, p.body, outline(p)) +
    box(106, 116, 44, 56, 6, p.glass) +
    dot(190, 126, 26, p.ink, ' opacity=".85"') +
    dot(190, 126, 17, p.glass) +
    dot(184, 120, 5, '#ffffff', ' opacity=".55"') +
    box(112, 82, 26, 9, 4, p.ink, ' opacity=".5"'),
  headset: (p) =>
    stroke('M78 140q0-52 82-52t82 52', p.body, 14) +
    `<path d="M84 114h152a18 18 0 0 1 18 18v34a24 24 0 0 1-24 24h-36q-10 0-16-10-6-12-18-12t-18 12q-6 10-16 10H90a24 24 0 0 1-24-24v-34a18 18 0 0 1 18-18z" fill="${p.body}"${outline(p)}/>` +
    box(80, 126, 160, 36, 14, p.glass),
  player: (p) =>
    box(116, 60, 88, 154, 14, p.body, outline(p)) +
    box(124, 70, 72, 58, 5, p.glass) +
    dot(160, 168, 30, p.mark, outline(p)) +
    dot(160, 168, 11, p.body, outline(p)),
  drone: (p) =>
    stroke('M112 104l96 64M208 104l-96 64', p.body, 9) +
    ['108 100', '212 100', '108 172', '212 172']
      .map((at) => {
        const [x = 0, y = 0] = at.split(' ').map(Number)
        return dot(x, y, 26, p.glass, ' opacity=".35"') + dot(x, y, 6, p.ink)
      })
      .join('') +
    box(132, 116, 56, 40, 16, p.body, outline(p)) +
    dot(160, 142, 7, p.ink),
  card: (p) =>
    box(74, 84, 6, 112, 2, p.ink, ' opacity=".6"') +
    box(80, 92, 166, 84, 10, p.body, outline(p)) +
    [122, 204]
      .map((x) => {
        const blades = `M${x} 108v52M${x - 26} 134h52M${x - 18} 116l36 36M${x + 18} 116l-36 36`
        return dot(x, 134, 33, p.glass, outline(p)) + stroke(blades, p.mark, 3) + dot(x, 134, 9, p.body, outline(p))
      })
      .join('') +
    box(96, 176, 92, 12, 2, p.ink, ' opacity=".5"'),
  tag: (p) =>
    dot(160, 136, 58, p.body, outline(p)) + dot(160, 136, 40, p.glass) + stroke('M160 112v24l16 12', p.mark, 5),
  box: (p) =>
    `<path d="M160 66l72 36v72l-72 36-72-36v-72z" fill="${p.body}"${outline(p)}/>` +
    stroke('M88 102l72 36 72-36M160 138v72', p.ink, 2),
} as const satisfies Record<string, Draw>

export type ShapeName = keyof typeof SHAPES

/** The first word that occurs in the category's name counts. */
const SHAPE_BY_CATEGORY: readonly (readonly [string, ShapeName])[] = [
  ['foldable', 'foldable'],
  ['smartphone', 'phone'],
  ['feature phone', 'keypad'],
  ['headphone', 'headphones'],
  ['earphone', 'earbuds'],
  ['microphone', 'speaker'],
  ['phone', 'phone'],
  ['reader', 'reader'],
  ['tablet', 'tablet'],
  ['watch', 'watch'],
  ['wearable', 'watch'],
  ['fitness', 'band'],
  ['band', 'band'],
  ['tracker', 'tag'],
  ['tag', 'tag'],
  ['graphics', 'card'],
  ['laptop', 'laptop'],
  ['notebook', 'laptop'],
  ['chromebook', 'laptop'],
  ['desktop', 'desktop'],
  ['computer', 'desktop'],
  ['monitor', 'desktop'],
  ['display', 'desktop'],
  ['earbud', 'earbuds'],
  ['vr', 'headset'],
  ['headset', 'headset'],
  ['glasses', 'headset'],
  ['portable speaker', 'boombox'],
  ['speaker', 'speaker'],
  ['handheld', 'handheld'],
  ['console', 'console'],
  ['gaming', 'console'],
  ['streaming', 'streamer'],
  ['set-top', 'streamer'],
  ['router', 'streamer'],
  ['hub', 'streamer'],
  ['tv', 'television'],
  ['television', 'television'],
  ['projector', 'television'],
  ['action camera', 'actioncam'],
  ['camera', 'camera'],
  ['media player', 'player'],
  ['music', 'player'],
  ['drone', 'drone'],
]

/** Camera layouts of phone families: the first pattern that the folded make and name match. */
const PHONE_BY_NAME: readonly (readonly [RegExp, ShapeName])[] = [
  [/\bflip\d*\b|\brazr\b/, 'flip'],
  [/\b(fold\d*|open)\b|\bmagic v\d|\bmate x\d?\b/, 'foldable'],
  [/^apple iphone (1[1-9]|[2-9]\d) pro/, 'phone-triple'],
  [/^apple iphone 1[1345]\b/, 'phone-diagonal'],
  [/^apple iphone (1[2678]|x|xs)\b(?!.*e$)/, 'phone-pill'],
  [/^apple iphone/, 'phone-single'],
  [/^google pixel ([6-9]|1\d)/, 'phone-bar'],
  [/^samsung galaxy (s2[2-9]|a[1-9]\d|z|m\d|f\d)/, 'phone-column'],
  [/^(oneplus (1[1-9]|open)|xiaomi 1[2-9]|honor|huawei (mate|p[5-9]|pura)|vivo x|oppo find)/, 'phone-disc'],
]

const isHandheld = /\b(switch|deck|portable|portal|vita|psp|ds|3ds|game boy|ally|legion)\b/

export function shapeFor(category: string, name = '', make = ''): ShapeName {
  const folded = foldText(category)
  const shape = SHAPE_BY_CATEGORY.find(([word]) => folded.includes(word))?.[1] ?? 'box'
  const foldedName = foldText(name)
  if (shape === 'phone') {
    const full = foldText(name.toLowerCase().startsWith(make.toLowerCase()) ? name : `${make} ${name}`)
    return PHONE_BY_NAME.find(([pattern]) => pattern.test(full))?.[1] ?? 'phone'
  }
  if (shape === 'player' && /\btouch\b/.test(foldedName)) return 'phone-single'
  if (shape === 'console' && isHandheld.test(foldedName)) return 'handheld'
  return shape
}

export function drawShape(shape: ShapeName, paint: Paint): string {
  return SHAPES[shape](paint)
}
