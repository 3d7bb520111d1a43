import i18next from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatCount, formatPercent } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import {
  density,
  type NegotiationBasis,
  type NegotiationOutlook,
  negotiationScale,
  outlookAt,
} from './negotiation-outlook.ts'

/** Nobody pays more than all buyers: the spread of their prices has no end. */
const MOST_BEATEN = 0.99

const POINTS = 80
const WIDTH = 1_000
const HEIGHT = 200

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
  const { t } = useTranslation('counter')
  const id = useId()
  const { from, to } = negotiationScale(basis)
  const outlook = outlookAt(basis, price)
  const money = (amount: number) => formatAmount(amount, currency, true)
  const place = (amount: number) => (100 * (amount - from)) / (to - from)
  const loss = formatPercent(outlook.lossProbability)
  return (
    <section className={`negotiation negotiation-${outlook.standing}`} aria-label={t('negotiation.label')}>
      <div className="negotiation-head">
        <label htmlFor={id}>{t('negotiation.pay')}</label>
        <output htmlFor={id}>{money(price)}</output>
        {price === basis.recommendedOffer ? null : (
          <Button variant="link" onClick={() => choose(null)}>
            {t('negotiation.reset', { amount: money(basis.recommendedOffer) })}
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
          aria-valuetext={t('negotiation.spoken', { price: money(price), profit: money(outlook.profit), loss })}
          onChange={(event) => choose(Number(event.target.value))}
        />
        <RivalsBand basis={basis} place={place} />
        {basis.maxOffer === basis.recommendedOffer ? null : (
          <div
            className="negotiation-most"
            style={{ insetInlineStart: `${place(basis.maxOffer)}%` }}
            aria-hidden="true"
          >
            <span>{t('negotiation.atMost', { amount: money(basis.maxOffer) })}</span>
          </div>
        )}
      </div>
      <Figures outlook={outlook} basis={basis} money={money} loss={loss} />
      <p className="negotiation-says" role="status">
        {t(`negotiation.standing.${outlook.standing}`)}
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
        style={{ insetInlineStart: `${place(rivals.low)}%`, width: `${place(rivals.high) - place(rivals.low)}%` }}
      />
      <span className="rivals-median" style={{ insetInlineStart: `${place(rivals.median)}%` }} />
    </div>
  )
}

function lossInWords(probability: number): string {
  if (probability < 0.005) return i18next.t('counter:negotiation.lossNone')
  return probability > 0.4
    ? i18next.t('counter:negotiation.lossLikely')
    : i18next.t('counter:negotiation.lossOneIn', { number: formatCount(Math.round(1 / probability)) })
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
  const { t } = useTranslation('counter')
  return (
    <dl className="negotiation-figures">
      <div className={outlook.profit < 0 ? 'figure-bad' : 'figure-good'}>
        <dt>{t(outlook.profit < 0 ? 'negotiation.expectedLoss' : 'negotiation.expectedProfit')}</dt>
        <dd>{money(Math.abs(outlook.profit))}</dd>
        <dd className="muted">
          {t('negotiation.likely', { low: money(outlook.profitLow), high: money(outlook.profitHigh) })}
        </dd>
      </div>
      <div className={outlook.standing === 'recommended' || outlook.standing === 'within_policy' ? '' : 'figure-bad'}>
        <dt>{t('negotiation.chance')}</dt>
        <dd>{loss}</dd>
        <dd className="muted">{lossInWords(outlook.lossProbability)}</dd>
      </div>
      <div>
        <dt>
          <span className="rivals-key" aria-hidden="true" /> {t('negotiation.tradeIn')}
        </dt>
        <dd>{rivals ? money(rivals.median) : t('negotiation.unknown')}</dd>
        {rivals && outlook.beaten !== null ? (
          <dd className="muted">
            {t('negotiation.beaten', { percent: formatPercent(Math.min(MOST_BEATEN, outlook.beaten)) })}
          </dd>
        ) : null}
      </div>
    </dl>
  )
}
