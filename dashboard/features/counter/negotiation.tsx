import { useId } from 'react'
import { formatAmount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import {
  density,
  type NegotiationBasis,
  type NegotiationOutlook,
  negotiationScale,
  outlookAt,
  type Standing,
} from './negotiation-outlook.ts'

const POINTS = 80
const WIDTH = 1_000
const HEIGHT = 200

const STANDING_TEXTS: Readonly<Record<Standing, string>> = {
  recommended: 'Within your policy, and no more than trade-in businesses pay.',
  within_policy: 'Within your policy.',
  above_limit: 'Above your maximum: it earns less than your policy requires.',
  expected_loss: 'Expect to lose money at this price.',
}

/**
 * What a price means. Price, maximum offer, trade-in prices and what the device may bring share one scale: the part of the
 * curve left of the price is a loss.
 */
export function Negotiation({
  basis,
  currency,
  price,
  isDisabled,
  choose,
}: {
  basis: NegotiationBasis
  currency: string
  price: number
  isDisabled: boolean
  /** Null goes back to the recommended offer. */
  choose: (price: number | null) => void
}) {
  const id = useId()
  const { from, to } = negotiationScale(basis)
  const outlook = outlookAt(basis, price)
  const money = (amount: number) => formatAmount(amount, currency, true)
  const place = (amount: number) => (100 * (amount - from)) / (to - from)
  const loss = `${Math.round(100 * outlook.lossProbability)} %`
  return (
    <section className={`negotiation negotiation-${outlook.standing}`} aria-label="Negotiation">
      <div className="negotiation-head">
        <label htmlFor={id}>Pay</label>
        <output htmlFor={id}>{money(price)}</output>
        {price === basis.recommendedOffer ? null : (
          <Button variant="link" onClick={() => choose(null)}>
            Reset to {money(basis.recommendedOffer)}
          </Button>
        )}
      </div>
      <div className="negotiation-scale">
        <OutcomeCurve basis={basis} from={from} to={to} price={price} place={place} />
        <input
          id={id}
          type="range"
          min={from}
          max={to}
          step={basis.step}
          value={price}
          disabled={isDisabled}
          aria-valuetext={`${money(price)}: expected profit ${money(outlook.profit)}, ${loss} chance of a loss`}
          onChange={(event) => choose(Number(event.target.value))}
        />
        <RivalsBand basis={basis} place={place} />
        <div className="negotiation-most" style={{ left: `${place(basis.maxOffer)}%` }} aria-hidden="true">
          <span>at most {money(basis.maxOffer)}</span>
        </div>
      </div>
      <Figures outlook={outlook} basis={basis} money={money} loss={loss} />
      <p className="negotiation-says" role="status">
        {STANDING_TEXTS[outlook.standing]}
      </p>
    </section>
  )
}

/** What the device may bring after costs; red where it is less than the price. */
function OutcomeCurve({
  basis,
  from,
  to,
  price,
  place,
}: {
  basis: NegotiationBasis
  from: number
  to: number
  price: number
  place: (amount: number) => number
}) {
  const id = useId()
  const points = Array.from({ length: POINTS + 1 }, (_, at) => {
    const value = from + ((to - from) * at) / POINTS
    return `${(WIDTH * at) / POINTS} ${HEIGHT - 0.94 * HEIGHT * density(basis.proceeds, value)}`
  })
  const area = `M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`
  const x = (WIDTH * place(price)) / 100
  return (
    <svg className="negotiation-curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <clipPath id={`${id}-loss`}>
        <rect x="0" y="0" width={x} height={HEIGHT} />
      </clipPath>
      <clipPath id={`${id}-profit`}>
        <rect x={x} y="0" width={WIDTH - x} height={HEIGHT} />
      </clipPath>
      <path className="curve-loss" d={area} clipPath={`url(#${id}-loss)`} />
      <path className="curve-profit" d={area} clipPath={`url(#${id}-profit)`} />
      <path className="curve-line" d={`M${points.join('L')}`} />
      <line className="curve-price" x1={x} x2={x} y1="0" y2={HEIGHT} />
    </svg>
  )
}

function RivalsBand({ basis, place }: { basis: NegotiationBasis; place: (amount: number) => number }) {
  const { rivals } = basis
  if (!rivals) return null
  return (
    <div className="negotiation-rivals" aria-hidden="true">
      <span
        className="rivals-band"
        style={{ left: `${place(rivals.low)}%`, width: `${place(rivals.high) - place(rivals.low)}%` }}
      />
      <span className="rivals-median" style={{ left: `${place(rivals.median)}%` }} />
    </div>
  )
}

function lossInWords(probability: number): string {
  if (probability < 0.005) return 'practically none'
  return probability > 0.4 ? 'likely' : `about 1 in ${Math.round(1 / probability)}`
}

function Figures({
  outlook,
  basis: { rivals },
  money,
  loss,
}: {
  outlook: NegotiationOutlook
  basis: NegotiationBasis
  money: (amount: number) => string
  loss: string
}) {
  return (
    <dl className="negotiation-figures">
      <div className={outlook.profit < 0 ? 'figure-bad' : 'figure-good'}>
        <dt>{outlook.profit < 0 ? 'Expected loss' : 'Expected profit'}</dt>
        <dd>{money(Math.abs(outlook.profit))}</dd>
        <dd className="muted">
          likely {money(outlook.profitLow)} to {money(outlook.profitHigh)}
        </dd>
      </div>
      <div className={outlook.standing === 'recommended' || outlook.standing === 'within_policy' ? '' : 'figure-bad'}>
        <dt>Chance of a loss</dt>
        <dd>{loss}</dd>
        <dd className="muted">{lossInWords(outlook.lossProbability)}</dd>
      </div>
      <div>
        <dt>
          <span className="rivals-key" aria-hidden="true" /> Trade-in pays
        </dt>
        <dd>{rivals ? money(rivals.median) : 'Unknown'}</dd>
        {rivals && outlook.beaten !== null ? (
          <dd className="muted">you beat {Math.round(100 * outlook.beaten)} %</dd>
        ) : null}
      </div>
    </dl>
  )
}
