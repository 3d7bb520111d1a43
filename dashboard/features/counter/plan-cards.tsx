import { useTranslation } from 'react-i18next'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatPercent } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { Swatch, seriesColour } from '../../ui/swatch.tsx'

type Plan = NonNullable<AppraisalWire['plans']>[number]
type PlanCardsProps = Pick<AppraisalWire, 'plans' | 'rejected_plans' | 'offer' | 'currency'>

/** Cost types in drawing order, each with its colour number. */
const COST_LINES = [
  ['paid', 1],
  ['parts', 2],
  ['labour', 4],
  ['selling_fee', 5],
  ['holding_and_depreciation', 3],
] as const

/** Resale plans side by side with sale price, costs and profit. */
export function PlanCards({ plans = [], rejected_plans: rejectedPlans = [], offer, currency }: PlanCardsProps) {
  const { t } = useTranslation('counter')
  const texts = codeTexts()
  if (plans.length === 0) return null
  const paid = offer.max_offer ?? 0
  const max = Math.max(
    1,
    ...plans.map((plan) => Math.max(plan.expected_proceeds, plan.expected_proceeds - plan.expected_profit)),
  )
  return (
    <Card title={t('plans.title')} note={t('plans.note', { amount: formatAmount(paid, currency) })}>
      <div className="plans">
        {plans.map((plan) => (
          <PlanCard
            key={plan.plan}
            plan={plan}
            paid={paid}
            max={max}
            currency={currency}
            isBest={plan.plan === offer.plan && paid > 0}
          />
        ))}
      </div>
      {rejectedPlans.map((rejected) => (
        <p key={rejected.plan} className="muted rejected-plan">
          {t('plans.rejected', { plan: texts.plan(rejected.plan), reason: texts.rejectedPlan(rejected) })}
        </p>
      ))}
    </Card>
  )
}

function PlanCard({
  plan,
  paid,
  max,
  currency,
  isBest,
}: {
  plan: Plan
  paid: number
  max: number
  currency: string
  isBest: boolean
}) {
  const { t } = useTranslation('counter')
  const money = (amount: number) => formatAmount(amount, currency, true)
  const spent = { paid, ...plan.costs }
  const lines = COST_LINES.map(([kind, colour]) => ({
    name: t(`plans.cost.${kind}`),
    colour,
    amount: spent[kind],
  })).filter(({ amount }) => amount > 0)
  const texts = codeTexts()
  const soldAs = plan.sold_as
    ? texts.gradeName(plan.sold_as)
    : t(plan.plan === 'sell_for_parts' ? 'plans.asParts' : 'plans.asDefective')
  const isLoss = plan.expected_profit < 0
  return (
    <section className={isBest ? 'plan plan-best' : 'plan'} aria-label={texts.plan(plan.plan)}>
      <h3>
        {texts.plan(plan.plan)} {isBest ? <Badge tone="good">{t('plans.best')}</Badge> : null}
      </h3>
      <p className="muted">
        {t(plan.repairs.length > 0 ? 'plans.soldAfter' : 'plans.soldAs', {
          grade: soldAs,
          repairs: plan.repairs.map(texts.repairName).join(', '),
          count: plan.days_to_sell,
        })}
      </p>
      <PlanBars plan={plan} lines={lines} max={max} />
      <dl className="plan-sum">
        <div>
          <dt>
            <Swatch series={0} />
            {t('plans.salePrice')}
          </dt>
          <dd>{money(plan.expected_proceeds)}</dd>
        </div>
        {lines.map(({ name, colour, amount }) => (
          <div key={name}>
            <dt>
              <Swatch series={colour} />
              {name}
            </dt>
            <dd>−{money(amount)}</dd>
          </div>
        ))}
        <div className={isLoss ? 'plan-left plan-loss' : 'plan-left'}>
          <dt>{t(isLoss ? 'plans.loss' : 'plans.profit')}</dt>
          <dd>{money(plan.expected_profit)}</dd>
        </div>
      </dl>
      <p className="muted">
        {t('plans.likely', {
          low: money(plan.range.low),
          high: money(plan.range.high),
          chance: formatPercent(plan.loss_probability),
        })}
      </p>
    </section>
  )
}

/** Two bars on one scale: the sale price above, the costs below; the gap at the end is the profit or loss. */
function PlanBars({
  plan,
  lines,
  max,
}: {
  plan: Plan
  lines: readonly { readonly colour: number; readonly amount: number }[]
  max: number
}) {
  const share = (amount: number) => (100 * amount) / max
  const income = share(plan.expected_proceeds)
  let at = 0
  return (
    <svg className="plan-bars" viewBox="0 0 100 34" preserveAspectRatio="none" aria-hidden="true">
      <rect fill={seriesColour(0)} x="0" y="1" width={income} height="14" />
      {lines.map(({ colour, amount }) => {
        const x = at
        at += share(amount)
        return <rect key={colour} fill={seriesColour(colour)} x={x} y="19" width={share(amount)} height="14" />
      })}
      <rect
        className={at > income ? 'gap-loss' : 'gap-left'}
        x={Math.min(at, income)}
        y={at > income ? 1 : 19}
        width={Math.abs(income - at)}
        height="14"
      />
    </svg>
  )
}
