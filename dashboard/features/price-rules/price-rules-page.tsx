import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { PriceRulesWire, PriceRuleWire } from '../../../src/contract/price-rules.ts'
import { dayOf } from '../../../src/lib/time.ts'
import { callApi } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatCount, formatDay } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useHasRole } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmailText } from '../../ui/email-text.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { DeviceName } from '../device-picker/device-picker.tsx'
import { type NewRule, RuleDialog, toNewRule } from './rule-dialog.tsx'

/** The shop's own limits and campaigns: each is a line in the calculation of an offer. */
export function PriceRulesPage() {
  const { t } = useTranslation('price-rules')
  const query = useOperation('GET /api/manage/price-rules', {})
  const mayChange = useHasRole('owner')
  /** The rule that is changed; `new` for a further one. */
  const [edited, setEdited] = useState<PriceRuleWire | 'new' | null>(null)
  const page = query.data?.data
  const replace = (rules: NewRule[]) =>
    callApi('PUT /api/manage/price-rules', { body: { currency: page?.currency, rules, revision: page?.revision } })
  function save(page: PriceRulesWire, rule: NewRule) {
    const others = page.rules.map(toNewRule)
    return replace(rule.id ? others.map((other) => (other.id === rule.id ? rule : other)) : [...others, rule])
  }
  const addButton = mayChange ? (
    <Button variant="primary" onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  ) : null
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {page && page.rules.length > 0 ? addButton : null}
      </PageHeader>
      <QueryView query={query} skeletonLines={5}>
        {(rules) => (
          <>
            <Card>
              {rules.rules.length === 0 ? (
                <EmptyState title={t('none')} hint={t('noneHint')}>
                  {addButton}
                </EmptyState>
              ) : (
                <RulesTable
                  page={rules}
                  actions={
                    mayChange
                      ? (rule) => (
                          <>
                            <Button onClick={() => setEdited(rule)}>{t('change')}</Button>
                            <ApiButton
                              variant="plain"
                              send={() => replace(rules.rules.filter(({ id }) => id !== rule.id).map(toNewRule))}
                            >
                              {t('remove')}
                            </ApiButton>
                          </>
                        )
                      : undefined
                  }
                />
              )}
              {mayChange ? null : <p className="muted">{t('ownersOnly')}</p>}
            </Card>
            <p className="note">
              {t('order')} <Link to="/dashboard/policy">{t('toPolicy')}</Link>
            </p>
            {edited ? (
              <RuleDialog
                rule={edited === 'new' ? null : edited}
                currency={rules.currency}
                save={(rule) => save(rules, rule)}
                close={() => setEdited(null)}
              />
            ) : null}
          </>
        )}
      </QueryView>
    </>
  )
}

type RuleState = 'active' | 'planned' | 'ended'
const STATE_TONES: Readonly<Record<RuleState, Tone>> = { active: 'good', planned: 'blue', ended: 'plain' }

/** Periods are days in UTC, as the service applies them. */
function stateOf({ from, until }: PriceRuleWire, today = dayOf(Date.now())): RuleState {
  if (from !== null && today < from) return 'planned'
  return until !== null && until < today ? 'ended' : 'active'
}

function effectText({ percent, max_offer: limit }: PriceRuleWire, currency: string, t: TFunction<'price-rules'>) {
  if (percent !== null) {
    return t(percent > 0 ? 'effect.raise' : 'effect.lower', { percent: formatCount(Math.abs(percent)) })
  }
  return limit ? t('effect.limit', { amount: formatAmount(limit, currency) }) : t('effect.never')
}

function periodText({ from, until }: PriceRuleWire, t: TFunction<'price-rules'>) {
  if (from && until) return t('period.between', { from: formatDay(from), until: formatDay(until) })
  if (from) return t('period.from', { from: formatDay(from) })
  return until ? t('period.until', { until: formatDay(until) }) : t('period.always')
}

function RulesTable({
  page: { rules, currency },
  actions,
}: {
  page: PriceRulesWire
  actions: ((rule: PriceRuleWire) => React.ReactNode) | undefined
}) {
  const { t } = useTranslation('price-rules')
  const { gradeName } = codeTexts()
  return (
    <DataTable
      label={t('title')}
      rows={rules}
      rowKey={({ id }) => id}
      isMuted={(rule) => stateOf(rule) === 'ended'}
      actions={actions}
      columns={[
        {
          title: t('column.rule'),
          isRowName: true,
          cell: (rule) => (
            <>
              <strong>{effectText(rule, currency, t)}</strong>
              {rule.note ? <span className="muted block">{rule.note}</span> : null}
            </>
          ),
        },
        {
          title: t('column.devices'),
          cell: ({ device_ids: ids }) =>
            ids.length === 0
              ? t('allDevices')
              : ids.map((id) => (
                  <Link key={id} className="block" to={`/dashboard/devices/${id}`}>
                    <DeviceName id={id} />
                  </Link>
                )),
        },
        {
          title: t('column.grades'),
          cell: ({ conditions }) => (conditions.length === 0 ? t('allGrades') : conditions.map(gradeName).join(', ')),
        },
        { title: t('column.period'), cell: (rule) => periodText(rule, t) },
        {
          title: t('column.state'),
          cell: (rule) => <Badge tone={STATE_TONES[stateOf(rule)]}>{t(`state.${stateOf(rule)}`)}</Badge>,
        },
        { title: t('column.by'), cell: ({ created_by: author }) => <EmailText>{author.name || '–'}</EmailText> },
      ]}
    />
  )
}
