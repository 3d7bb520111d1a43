import { PLAN_WORDS } from '../../../src/appraisal/appraisal-sheet.ts'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { formatAmount, humanize, pluralize } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'

type Plan = AppraisalWire['plans'][number]
type PlanCardsProps = Pick<AppraisalWire, 'plans' | 'rejected_plans' | 'offer' | 'currency'>

/** Cost types in drawing order, each with its label and colour number. */
const COST_LINES = [
  ['paid', 'Purchase price', 1],
  ['parts', 'Parts', 2],
  ['labour', 'Labour', 4],
  ['selling_fee', 'Selling fees', 5],
  ['holding_and_depreciation', 'Holding and depreciation', 3],
] as const

/** Resale plans side by side with sale price, costs and profit. */
export function PlanCards({ plans, rejected_plans: rejectedPlans, offer, currency }: PlanCardsProps) {
  if (plans.length === 0) return null
  const paid = offer.max_offer ?? 0
  const most = Math.max(
    1,
    ...plans.map((plan) => Math.max(plan.expected_proceeds, plan.expected_proceeds - plan.expected_profit)),
  )
  return (
    <Card title="Resale plans" note={`Calculated for the maximum offer, ${formatAmount(paid, currency)}.`}>
      <div className="plans">
        {plans.map((plan) => (
          <PlanCard
            key={plan.plan}
            plan={plan}
            paid={paid}
            most={most}
            currency={currency}
            isBest={plan.plan === offer.plan && paid > 0}
          />
        ))}
      </div>
      {rejectedPlans.map(({ plan, reason }) => (
        <p key={plan} className="muted rejected-plan">
          {PLAN_WORDS[plan]}: {reason}
        </p>
      ))}
    </Card>
  )
}

function PlanCard({
  plan,
  paid,
  most,
  currency,
  isBest,
}: {
  plan: Plan
  paid: number
  most: number
  currency: string
  isBest: boolean
}) {
  const money = (amount: number) => formatAmount(amount, currency, true)
  const spent = { paid, ...plan.costs }
  const lines = COST_LINES.map(([kind, name, colour]) => ({ name, colour, amount: spent[kind] })).filter(
    ({ amount }) => amount > 0,
  )
  const isLoss = plan.expected_profit < 0
  return (
    <section className={isBest ? 'plan plan-best' : 'plan'} aria-label={PLAN_WORDS[plan.plan]}>
      <h3>
        {PLAN_WORDS[plan.plan]} {isBest ? <Badge tone="good">Best</Badge> : null}
      </h3>
      <p className="muted">
        {plan.sold_as ? `as ${plan.sold_as}` : plan.plan === 'sell_for_parts' ? 'as parts' : 'as defective'}
        {plan.repairs.length > 0
          ? `, after ${plan.repairs.map((one) => humanize(one.replaceAll('-', ' ')).toLowerCase()).join(', ')}`
          : ''}
        , in about {pluralize(plan.days_to_sell, 'day')}
      </p>
      <PlanBars plan={plan} lines={lines} most={most} />
      <dl className="plan-sum">
        <div>
          <dt>
            <span className="swatch fill-0" aria-hidden="true" />
            Sale price
          </dt>
          <dd>{money(plan.expected_proceeds)}</dd>
        </div>
        {lines.map(({ name, colour, amount }) => (
          <div key={name}>
            <dt>
              <span className={`swatch fill-${colour}`} aria-hidden="true" />
              {name}
            </dt>
            <dd>−{money(amount)}</dd>
          </div>
        ))}
        <div className={isLoss ? 'plan-left plan-loss' : 'plan-left'}>
          <dt>{isLoss ? 'Loss' : 'Profit'}</dt>
          <dd>{money(plan.expected_profit)}</dd>
        </div>
      </dl>
      <p className="muted">
        Likely {money(plan.range.low)} to {money(plan.range.high)} · {Math.round(100 * plan.loss_probability)} % chance
        of a loss
      </p>
    </section>
  )
}

/** Two bars on one scale: the sale price above, the costs below; the gap at the end is the profit or loss. */
function PlanBars({
  plan,
  lines,
  most,
}: {
  plan: Plan
  lines: readonly { readonly colour: number; readonly amount: number }[]
  most: number
}) {
  const share = (amount: number) => (100 * amount) / most
  const income = share(plan.expected_proceeds)
  let at = 0
  return (
    <svg className="plan-bars" viewBox="0 0 100 34" preserveAspectRatio="none" aria-hidden="true">
      <rect className="fill-0" x="0" y="1" width={income} height="14" />
      {lines.map(({ colour, amount }) => {
        const x = at
        at += share(amount)
        return <rect key={colour} className={`fill-${colour}`} x={x} y="19" width={share(amount)} height="14" />
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
