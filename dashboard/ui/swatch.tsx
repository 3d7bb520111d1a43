/** Six colours that are distinct in both themes and for colour-blind users; defined in the style sheet. */
const COLOURS = 6
export const seriesColour = (series: number) => `var(--c${series % COLOURS})`

/** Square in the colour of a series, for legends. */
export const Swatch = ({ series, isFaint = false }: { series: number; isFaint?: boolean }) => (
  <span
    className={isFaint ? 'swatch swatch-faint' : 'swatch'}
    style={{ background: seriesColour(series) }}
    aria-hidden="true"
  />
)
