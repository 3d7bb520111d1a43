import { code128 } from '../code-128.ts'

const HEIGHT = 40
/** White beside the bars that readers need, in modules. */
const QUIET = 10

/** A dot of the usual label printers (203 dpi), in millimetres: bars of whole dots are printed with even edges. */
const DOT_MM = 0.125
/** Narrowest bar that hand scanners read well, in dots. */
const MIN_DOTS = 2

/** Code 128 barcode as one SVG path, as wide as fits; nothing for a text that has none. */
export function Barcode({ text, maxWidthMm }: { text: string; maxWidthMm: number }) {
  const widths = code128(text)
  if (!widths) return null
  let x = QUIET
  let path = ''
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v${HEIGHT}h-${width}z`
    x += width
  }
  const modules = x + QUIET
  const dots = Math.floor(maxWidthMm / modules / DOT_MM)
  const widthMm = dots < MIN_DOTS ? maxWidthMm : modules * dots * DOT_MM
  return (
    <svg
      className="barcode"
      viewBox={`0 0 ${modules} ${HEIGHT}`}
      preserveAspectRatio="none"
      style={{ width: `${widthMm}mm` }}
      aria-hidden="true"
    >
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
