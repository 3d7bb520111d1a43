/** A bar of the chart; the first is ours and stands out. */
export type Bar = { readonly name: string; readonly value: number }

const WIDTH = 720
const NAMES = 190
const VALUES = 90
const STEP = 30
const BAR = 18

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Bars side by side as an SVG that is read on a light page and on a dark one. */
export function barChart(title: string, unit: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value))
  const scale = (WIDTH - NAMES - VALUES) / most
  const height = STEP * bars.length + 40
  const drawn = bars.map(({ name, value }, at) => {
    const y = 34 + at * STEP
    const length = Math.max(1, value * scale)
    return [
      `<text class="name" x="${NAMES - 8}" y="${y + 13}">${escaped(name)}</text>`,
      `<rect class="${at === 0 ? 'ours' : 'peer'}" x="${NAMES}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="3"/>`,
      `<text x="${(NAMES + length + 6).toFixed(1)}" y="${y + 13}">${value.toLocaleString('en')}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1b2530 }
.name { text-anchor: end }
.head { font-weight: 600 }
.ours { fill: #0b6b5f }
.peer { fill: #9aa7b2 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ours { fill: #56d0c0 } .peer { fill: #5b6875 } }
</style>
<text class="head" x="8" y="18">${escaped(`${title} (${unit})`)}</text>
${drawn.join('\n')}
</svg>
`
}
