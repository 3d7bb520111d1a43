import { encode } from 'uqr'

/** An address as a code that a phone reads. Drawn as one path, dark on light whatever the theme: readers expect it so. */
export function QrCode({ address }: { address: string }) {
  const { data, size } = encode(address, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="Code that leads to the verification page"
    >
      <rect className="qr-paper" width={size} height={size} />
      <path className="qr-ink" d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
