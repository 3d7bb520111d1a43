/** A bar of the chart; the first one is this service and is highlighted. */
export type Bar = { readonly name: string; readonly value: number }

const WIDTH = 720
const NAME_WIDTH = 190
const VALUE_WIDTH = 90
const ROW_HEIGHT = 30
const BAR_HEIGHT = 18

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A horizontal bar chart as SVG, for light and dark pages. */
export function barChart(title: string, unit: string, bars: readonly Bar[]): string {
  const maxValue = Math.max(...bars.map(({ value }) => value))
  const scale = (WIDTH - NAME_WIDTH - VALUE_WIDTH) / maxValue
  const height = ROW_HEIGHT * bars.length + 40
  const elements = bars.map(({ name, value }, index) => {
    const y = 34 + index * ROW_HEIGHT
    const length = Math.max(1, value * scale)
    return [
      `<text class="name" x="${NAME_WIDTH - 8}" y="${y + 13}">${escapeXml(name)}</text>`,
      `<rect class="${index === 0 ? 'ours' : 'peer'}" x="${NAME_WIDTH}" y="${y}" width="${length.toFixed(1)}" height="${BAR_HEIGHT}" rx="3"/>`,
      `<text x="${(NAME_WIDTH + length + 6).toFixed(1)}" y="${y + 13}">${value.toLocaleString('en')}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1b2530 }
.name { text-anchor: end }
.head { font-weight: 600 }
.ours { fill: #0b6b5f }
.peer { fill: #9aa7b2 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ours { fill: #56d0c0 } .peer { fill: #5b6875 } }
</style>
<text class="head" x="8" y="18">${escapeXml(`${title} (${unit})`)}</text>
${elements.join('\n')}
</svg>
`
}
