import { seriesColour } from './swatch.tsx'

/** A value, if it is known, with its range on a scale from zero to `max`. */
export function RangeBar({
  value,
  low,
  high,
  max,
  tone,
}: {
  value: number | null
  low: number
  high: number
  max: number
  tone: number
}) {
  const share = (amount: number) => (100 * amount) / Math.max(1, max)
  return (
    <svg className="range" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <rect className="range-track" x="0" y="5" width="100" height="4" rx="2" />
      <rect
        className="range-band"
        fill={seriesColour(tone)}
        x={share(low)}
        y="3"
        width={share(high) - share(low)}
        height="8"
        rx="1"
      />
      {value === null ? null : (
        <rect fill={seriesColour(tone)} x={Math.max(0, share(value) - 0.4)} y="0" width="0.8" height="14" />
      )}
    </svg>
  )
}
