import { code128 } from '../code-128.ts'

const HEIGHT = 40
/** White beside the bars that readers need, in modules. */
const QUIET = 10

/** Code 128 barcode as one SVG path; nothing for a text that has none. */
export function Barcode({ text }: { text: string }) {
  const widths = code128(text)
  if (!widths) return null
  let x = QUIET
  let path = ''
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v${HEIGHT}h-${width}z`
    x += width
  }
  return (
    <svg className="barcode" viewBox={`0 0 ${x + QUIET} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
