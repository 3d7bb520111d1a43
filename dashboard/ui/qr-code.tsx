import { encode } from 'uqr'

/** QR code as one SVG path, always dark on light: scanners expect that in either theme. */
export function QrCode({ address, label }: { address: string; label: string }) {
  const { data, size } = encode(address, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect className="qr-paper" width={size} height={size} />
      <path className="qr-ink" d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
