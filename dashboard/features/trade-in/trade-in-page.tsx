import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { QUOTE_STATES, type QuoteEntryWire, type QuoteState } from '../../../src/contract/quotes.ts'
import type { TradeInWire } from '../../../src/contract/trade-in.ts'
import { AMOUNT_PATTERN, readAmountText, toAmountText } from '../../amount-text.ts'
import { callApi } from '../../api.ts'
import { formatAmount, formatCount, formatDay } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { ApiForm } from '../../ui/form.tsx'
import { Card, Fact, PageHeader } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { describeDifference } from '../counter/quote-card.tsx'

/** The public trade-in page: its settings, its address, and the quotes that customers got. */
export function TradeInPage() {
  const { t } = useTranslation(['trade-in', 'errors'])
  const query = useOperation('GET /api/manage/settings', {})
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryView query={query} skeletonLines={6}>
        {({ trade_in: saved }) =>
          saved ? (
            <div className="stack">
              {saved.enabled ? <AddressCard settings={saved} /> : null}
              <SettingsCard saved={saved} />
              <QuoteReportCard />
              <QuotesCard />
            </div>
          ) : (
            <EmptyState title={t('errors:manager_needed')} />
          )
        }
      </QueryView>
    </>
  )
}

const addressOf = (slug: string) => `${location.origin}/sell/${slug}`

/** What became of the quotes of the last 30 days, and why prices changed at the counter. */
function QuoteReportCard() {
  const { t } = useTranslation('trade-in')
  const { sees_margins: seesMargins } = useSession()
  const report = useOperation('GET /api/reports/quotes', seesMargins ? {} : null).data?.data
  if (!report || report.kept === 0) return null
  return (
    <Card title={t('report.title')}>
      <dl className="figures">
        <Fact name={t('report.kept')}>{formatCount(report.kept)}</Fact>
        <Fact name={t('report.arrived')}>{formatCount(report.arrived)}</Fact>
        <Fact name={t('report.bought')}>{formatCount(report.states.bought)}</Fact>
        <Fact name={t('report.requoted')} note={t('report.accepted', { count: report.requotes_bought })}>
          {formatCount(report.requoted)}
        </Fact>
        {report.money.map(({ currency, held_cost: cost }) => (
          <Fact key={currency} name={t('report.heldCost')}>
            {formatAmount(cost, currency)}
          </Fact>
        ))}
      </dl>
      {report.reasons.length > 0 ? (
        <ul className="plain-list">
          {report.reasons.map((reason) => (
            <li key={`${reason.kind} ${reason.said} ${reason.is}`}>
              <span>{describeDifference(reason)}</span>
              <span className="muted">
                {t('report.times', { count: reason.count, bought: formatCount(reason.bought) })}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

function AddressCard({ settings: { slug } }: { settings: TradeInWire }) {
  const { t } = useTranslation('trade-in')
  const address = addressOf(slug)
  return (
    <Card title={t('address')}>
      <p className="actions">
        <a href={address} target="_blank" rel="noreferrer">
          {address}
        </a>
      </p>
      <QrCode address={address} label={t('qr')} />
      <p className="muted">{t('embedHint')}</p>
      <CodeBlock label={t('embed')} code={`<script src="${address}/embed.js" async></script>`} />
    </Card>
  )
}

const lines = (text: string) =>
  text
    .split(/[\n,]+/)
    .map((line) => line.trim())
    .filter(Boolean)

function SettingsCard({ saved }: { saved: TradeInWire }) {
  const { t } = useTranslation(['trade-in', 'common', 'receipt-details'])
  const isOwner = useHasRole('owner')
  const [settings, setSettings] = useState(saved)
  const [texts, setTexts] = useState({
    domains: saved.domains.join('\n'),
    makes: saved.makes.join(', '),
    categories: saved.categories.join(', '),
    max_price: toAmountText(saved.max_price, saved.currency),
  })
  const set = (changed: Partial<TradeInWire>) => setSettings({ ...settings, ...changed })
  const send = async () => {
    const trade_in = {
      ...settings,
      domains: lines(texts.domains),
      makes: lines(texts.makes),
      categories: lines(texts.categories),
      max_price: readAmountText(texts.max_price, settings.currency) ?? settings.max_price,
    }
    await callApi('PATCH /api/manage/settings', { body: { trade_in } })
  }
  const number = (name: 'share_percent' | 'valid_days' | 'daily_prices' | 'retention_days', max: number) => (
    <TextField
      label={t(`field.${name}`)}
      type="number"
      min={1}
      max={max}
      required
      value={String(settings[name])}
      onValueChange={(text) => set({ [name]: Number(text) })}
    />
  )
  const list = (name: 'categories' | 'makes' | 'domains') => (
    <TextField
      label={t(`field.${name}`)}
      hint={t(name === 'domains' ? 'domainsHint' : 'emptyForAll')}
      value={texts[name].replaceAll('\n', ', ')}
      onValueChange={(text) => setTexts({ ...texts, [name]: text })}
    />
  )
  const form = (
    <fieldset className="stack settings" disabled={!isOwner}>
      <label className="inline-choice">
        <input
          type="checkbox"
          checked={settings.enabled}
          onChange={(event) => set({ enabled: event.target.checked })}
        />
        {t('field.enabled')}
      </label>
      <TextField
        label={t('field.slug')}
        hint={addressOf(settings.slug)}
        required
        minLength={3}
        maxLength={40}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        value={settings.slug}
        onValueChange={(slug) => set({ slug })}
      />
      {number('share_percent', 100)}
      <TextField
        label={`${t('field.max_price')} (${settings.currency})`}
        inputMode="decimal"
        pattern={AMOUNT_PATTERN}
        required
        value={texts.max_price}
        onValueChange={(max_price) => setTexts({ ...texts, max_price })}
      />
      {number('valid_days', 90)}
      {list('categories')}
      {list('makes')}
      {list('domains')}
      <Field label={t('field.terms')}>
        {(props) => (
          <textarea
            {...props}
            rows={3}
            maxLength={1000}
            value={settings.terms}
            onChange={(event) => set({ terms: event.target.value })}
          />
        )}
      </Field>
      <TextField
        label={t('field.colour')}
        type="color"
        value={settings.colour}
        onValueChange={(colour) => set({ colour })}
      />
      {number('daily_prices', 100_000)}
      {number('retention_days', 3_650)}
    </fieldset>
  )
  return (
    <Card title={t('settings')}>
      {isOwner ? (
        <ApiForm action={t('receipt-details:save')} saved={t('common:saved')} send={send}>
          {form}
        </ApiForm>
      ) : (
        form
      )}
    </Card>
  )
}

function QuotesCard() {
  const { t } = useTranslation('trade-in')
  const [state, setState] = useState<QuoteState | ''>('')
  const query = useOperation('GET /api/quotes', { query: { limit: 100, ...(state ? { state } : {}) } })
  return (
    <Card title={t('quotes')}>
      <Field label={t('state.label')}>
        {(props) => (
          <select {...props} value={state} onChange={(event) => setState(event.target.value as QuoteState | '')}>
            <option value="">{t('state.all')}</option>
            {QUOTE_STATES.map((each) => (
              <option key={each} value={each}>
                {t(`state.${each}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <QueryView query={query} skeletonLines={4}>
        {(quotes: readonly QuoteEntryWire[]) =>
          quotes.length === 0 ? (
            <EmptyState title={t('noQuotes')} />
          ) : (
            <DataTable
              label={t('quotes')}
              rows={quotes}
              rowKey={({ quote_id: id }) => id}
              columns={[
                {
                  title: t('number'),
                  isRowName: true,
                  cell: ({ quote_id: id, state: current }) =>
                    current === 'open' || current === 'arrived' ? (
                      <Link to={`/dashboard/counter?quote=${id}`}>{id}</Link>
                    ) : (
                      id
                    ),
                },
                { title: t('device'), cell: ({ device_name: name }) => name },
                {
                  title: t('price'),
                  className: 'number',
                  cell: ({ offer, currency }) => (offer.price === null ? null : formatAmount(offer.price, currency)),
                },
                { title: t('state.label'), cell: ({ state: current }) => t(`state.${current}`) },
                { title: t('validUntil'), cell: ({ valid_until: until }) => formatDay(until.slice(0, 10)) },
              ]}
            />
          )
        }
      </QueryView>
    </Card>
  )
}
