import type { TFunction } from 'i18next'
import { useId, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { OwnPolicyWire, PolicyChangeWire } from '../../../src/contract/own-policy.ts'
import { RISK_ACTIONS } from '../../../src/contract/policy.ts'
import { AMOUNT_PATTERN } from '../../amount-text.ts'
import { callApi } from '../../api.ts'
import { useConfirmedAmount } from '../../confirmations.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage, QueryView } from '../../ui/states.tsx'
import { fromInputText, POLICY_FIELDS, POLICY_GROUPS, type PolicyField, toInputText } from './policy-fields.ts'
import { STANCES, type Stance, stanceChange, stanceOf, stanceTerms } from './policy-stances.ts'

export function PolicyPage() {
  const { t } = useTranslation(['policy', 'errors'])
  const query = useOperation('GET /api/manage/settings', {})
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryView query={query} skeletonLines={8}>
        {({ policy: page }) =>
          page ? (
            <>
              <StanceCard page={page} />
              <details open={stanceOf(page.policy, page.defaults) === null}>
                <summary>{t('details')}</summary>
                <PolicyForm key={JSON.stringify(page.policy)} page={page} />
              </details>
            </>
          ) : (
            <EmptyState title={t('errors:manager_needed')} />
          )
        }
      </QueryView>
    </>
  )
}

/** Careful, normal or bold: how much must be earned and how often money may be lost. */
function StanceCard({ page: { policy, defaults } }: { page: OwnPolicyWire }) {
  const { t } = useTranslation('policy')
  const isOwner = useHasRole('owner')
  const name = useId()
  const change = useApiMutation()
  const chosen = stanceOf(policy, defaults)
  const choose = (stance: Stance) =>
    change.mutate(() =>
      callApi('PATCH /api/manage/settings', { body: { policy: stanceChange(stance, defaults) as PolicyChangeWire } }),
    )
  return (
    <Card title={t('stance.title')} note={chosen ? t('stance.note') : t('stance.own')}>
      <fieldset className="stances">
        <legend className="visually-hidden">{t('stance.title')}</legend>
        {STANCES.map((stance) => {
          const terms = stanceTerms(stance, defaults)
          return (
            <Choice
              key={stance}
              type="radio"
              name={name}
              checked={chosen === stance}
              disabled={!isOwner || change.isPending}
              onChange={() => choose(stance)}
              title={t(`stance.${stance}`)}
              hint={t('stance.terms', {
                margin: formatCount(terms.target_margin_percent),
                profit: formatAmount(terms.min_profit, defaults.currency),
                losses: formatCount(Math.round(100 * terms.max_loss_probability)),
              })}
            />
          )
        })}
      </fieldset>
      <ErrorMessage error={change.error} />
    </Card>
  )
}

function PolicyForm({ page }: { page: OwnPolicyWire }) {
  const { t } = useTranslation('policy')
  const { role } = useSession()
  const { policy } = page
  const [changed, setChanged] = useState<Partial<Record<PolicyField, string>>>({})
  const change = useApiMutation()
  const confirmed = useConfirmedAmount()
  const mayChange = role === 'owner'
  const shown = (term: PolicyField) => changed[term] ?? toInputText(term, policy)
  const isChanged = Object.keys(changed).length > 0
  const send = (terms: Partial<Record<PolicyField, unknown>>) =>
    change.mutate(async () => {
      await confirmed(terms, (confirmation) =>
        callApi('PATCH /api/manage/settings', { body: { policy: { ...terms, ...confirmation } as PolicyChangeWire } }),
      )
      setChanged({})
    })
  function submit() {
    const given = Object.entries(changed) as [PolicyField, string][]
    send(Object.fromEntries(given.map(([term, text]) => [term, fromInputText(term, text, policy.currency)])))
  }
  return (
    <Form submit={submit}>
      <p className="note">
        <Trans
          t={t}
          i18nKey="currency"
          values={{ currency: policy.currency }}
          components={{ to: <Link to="/dashboard/settings" /> }}
        />
      </p>
      {POLICY_GROUPS.map(({ group, terms }) => (
        <Card key={group} title={t(`group.${group}`)}>
          {terms.map((term) => (
            <div key={term} className="term">
              <div>
                <label htmlFor={term}>{t(`field.${term}`)}</label>
                <p className="hint">{t(`hint.${term}`)}</p>
              </div>
              <div className="term-value">
                <PolicyFieldInput
                  term={term}
                  page={page}
                  value={shown(term)}
                  isDisabled={!mayChange}
                  change={(text) => setChanged({ ...changed, [term]: text })}
                />
                {page.own.includes(term) ? (
                  <span className="muted">
                    <Badge tone="blue">{t('custom')}</Badge> {t('default', { value: defaultText(term, page, t) })}{' '}
                    {mayChange ? (
                      <Button variant="link" isBusy={change.isPending} onClick={() => send({ [term]: null })}>
                        <Trans
                          t={t}
                          i18nKey="reset"
                          values={{ label: t(`field.${term}`) }}
                          components={{ label: <span className="visually-hidden" /> }}
                        />
                      </Button>
                    ) : null}
                  </span>
                ) : null}
              </div>
              {change.error?.field === `policy.${term}` ? <p className="field-error">{change.error.message}</p> : null}
            </div>
          ))}
        </Card>
      ))}
      <ErrorMessage error={change.error?.field ? null : change.error} />
      {mayChange ? (
        <p className="actions">
          <Button variant="primary" type="submit" isBusy={change.isPending} disabled={!isChanged}>
            {t('save')}
          </Button>
          {isChanged ? <Button onClick={() => setChanged({})}>{t('cancel')}</Button> : null}
        </p>
      ) : (
        <p className="muted">{t('ownersOnly')}</p>
      )}
    </Form>
  )
}

function defaultText(term: PolicyField, { defaults: common }: OwnPolicyWire, t: TFunction<'policy'>): string {
  const { kind } = POLICY_FIELDS[term]
  if (kind === 'optional_amount') return t('noLimitDefault')
  if (kind === 'boolean') return t(common[term] ? 'yesDefault' : 'noDefault')
  return kind === 'amount' ? formatAmount(Number(common[term]), common.currency) : toInputText(term, common)
}

function PolicyFieldInput({
  term,
  page,
  value,
  isDisabled,
  change,
}: {
  term: PolicyField
  page: OwnPolicyWire
  value: string
  isDisabled: boolean
  change: (text: string) => void
}) {
  const { t } = useTranslation('policy')
  const { kind, unit } = POLICY_FIELDS[term]
  if (kind === 'action' || kind === 'boolean') {
    const options: readonly (readonly [string, string])[] =
      kind === 'action'
        ? RISK_ACTIONS.map((action) => [action, t(`action.${action}`)])
        : [
            ['false', t('no')],
            ['true', t('yes')],
          ]
    return <Select id={term} value={value} disabled={isDisabled} options={options} onValueChange={change} />
  }
  const isOptional = kind === 'optional_amount'
  return (
    <span className="term-number">
      <input
        id={term}
        inputMode="decimal"
        required={!isOptional}
        placeholder={isOptional ? t('noLimit') : undefined}
        pattern={kind === 'amount' || isOptional ? AMOUNT_PATTERN : '\\d+([.,]\\d+)?'}
        value={value}
        disabled={isDisabled}
        onChange={(event) => change(event.target.value)}
      />
      <span className="muted">
        {kind === 'amount' || isOptional ? page.policy.currency : unit ? t(`unit.${unit}`) : '%'}
      </span>
    </span>
  )
}
