import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { LABEL_SIZES, type LabelSize } from '../../../src/contract/receipt-details.ts'
import {
  MAX_STOCK_PHOTOS,
  STOCK_COST_KINDS,
  type StockCostKind,
  type StockItemWire,
} from '../../../src/contract/stock.ts'
import { AMOUNT_PATTERN, readAmountText, toAmountText } from '../../amount-text.ts'
import { callApi } from '../../api.ts'
import { useConfirmedAmount } from '../../confirmations.ts'
import { formatAmount, formatCount, formatDay, formatMinutes, minorUnitsPerUnit } from '../../format.ts'
import { printPage } from '../../print-page.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl, SelectField, TextField } from '../../ui/field.tsx'
import { ApiForm } from '../../ui/form.tsx'
import { Breadcrumbs, Card, Fact, PageHeader } from '../../ui/page.tsx'
import { PhotoButton, PhotoList } from '../../ui/photo-picker.tsx'
import { EmptyState, ErrorMessage, QueryView } from '../../ui/states.tsx'
import { OutcomeDialog } from '../outcomes/outcome.tsx'
import { conditionText } from './condition-text.ts'
import { Label, LabelsToPrint } from './label.tsx'

type Cost = StockItemWire['costs'][number]

const change = (id: string, body: Record<string, unknown>) => callApi('PATCH /api/stock/{id}', { params: { id }, body })

/** One bought device: what it cost, what it should bring, where it is, its photos and its label. */
export function StockItemPage({ id }: { id: string }) {
  const { t } = useTranslation('stock')
  const query = useOperation('GET /api/stock/{id}', { params: { id } })
  return (
    <QueryView
      query={query}
      skeletonLines={8}
      title={t('title')}
      notFound={<EmptyState title={t('notFound')} hint={<Link to="/dashboard/stock">{t('title')}</Link>} />}
    >
      {(item) => <StockItemView item={item} />}
    </QueryView>
  )
}

function StockItemView({ item }: { item: StockItemWire }) {
  const { t } = useTranslation('stock')
  const [isSelling, setSelling] = useState(false)
  const isInStock = item.status === 'in_stock'
  return (
    <>
      <Breadcrumbs
        label={t('breadcrumb')}
        links={[['/dashboard/stock', t('title')]]}
        here={t('changeTitle', { number: item.number })}
      />
      <PageHeader
        title={item.device_name || t('unknownDevice')}
        lead={[conditionText(item), item.identifier, item.second_identifier].filter(Boolean).join(' · ')}
      >
        {isInStock ? (
          <Button variant="primary" onClick={() => setSelling(true)}>
            {t('sell')}
          </Button>
        ) : null}
        <Link className="button button-plain" to={`/dashboard/appraisals/${item.id}`}>
          {t('receipt')}
        </Link>
        <Link to={`/dashboard/appraisals/${item.id}`}>{t('correct')}</Link>
      </PageHeader>
      {isSelling ? <SellDialog item={item} close={() => setSelling(false)} /> : null}
      <div className="stock-item">
        <div>
          <MoneyCard item={item} />
          <CostsCard item={item} />
        </div>
        <div>
          {isInStock ? (
            <>
              <PriceCard key={item.updated_at} item={item} />
              <LabelCard item={item} />
            </>
          ) : null}
          <PhotosCard item={item} />
        </div>
      </div>
    </>
  )
}

/** Asks what a device sold for, and where. The asking price is filled in. */
export function SellDialog({ item, close }: { item: StockItemWire; close: () => void }) {
  return (
    <OutcomeDialog
      appraisalId={item.id}
      status="sold"
      currency={item.currency}
      likely={item.asking_price ?? item.suggested_price}
      close={close}
    />
  )
}

function MoneyCard({ item }: { item: StockItemWire }) {
  const { t } = useTranslation('stock')
  const { bought, sold, currency, total_cost: total, profit } = item
  return (
    <Card
      title={t('changeTitle', { number: item.number })}
      action={<Badge tone={sold ? 'good' : 'blue'}>{t(sold ? 'sold' : 'inStock')}</Badge>}
    >
      <dl className="facts">
        <Fact name={t('bought')}>
          {formatAmount(bought.price, bought.currency)}{' '}
          <span className="muted">{t('on', { date: formatDay(bought.date), by: item.bought_by.name })}</span>
        </Fact>
        {total === undefined ? null : <Fact name={t('totalCost')}>{formatAmount(total, currency)}</Fact>}
        {sold ? (
          <Fact name={t('sold')}>
            {formatAmount(sold.price, sold.currency)}{' '}
            <span className="muted">
              {t('on', { date: formatDay(sold.date), by: item.sold_by?.name ?? '–' })}
              {sold.channel ? ` · ${sold.channel}` : ''}
            </span>
          </Fact>
        ) : null}
        {profit === null || profit === undefined ? null : (
          <Fact name={t(profit < 0 ? 'loss' : 'profit')}>{formatAmount(Math.abs(profit), currency)}</Fact>
        )}
        <Fact name={t('daysInStock')}>{formatCount(item.days_in_stock)}</Fact>
        {item.reference ? <Fact name={t('reference')}>{item.reference}</Fact> : null}
      </dl>
    </Card>
  )
}

/** Asking price, with the suggested one beside it, and location. */
function PriceCard({ item }: { item: StockItemWire }) {
  const { t } = useTranslation(['stock', 'common'])
  const { currency, suggested_price: suggested } = item
  const unit = minorUnitsPerUnit(currency)
  const [price, setPrice] = useState(item.asking_price === null ? '' : toAmountText(item.asking_price, currency))
  const [location, setLocation] = useState(item.location ?? '')
  const confirmed = useConfirmedAmount()
  const send = async () => {
    const entries = {
      asking_price: price.trim() === '' ? null : readAmountText(price, currency),
      location: location.trim() || null,
    }
    await confirmed(entries, (confirmation) => change(item.id, { ...entries, ...confirmation }))
  }
  return (
    <Card title={t('priceAndPlace')}>
      <ApiForm action={t('save')} saved={t('common:saved')} send={send}>
        <TextField
          label={t('askingIn', { currency })}
          inputMode="decimal"
          pattern={AMOUNT_PATTERN}
          autoComplete="off"
          value={price}
          onValueChange={setPrice}
        />
        {suggested === null ? null : (
          <p className="stock-suggestion">
            {t('suggested', { amount: formatAmount(suggested, currency, true) })}{' '}
            <Button
              variant="link"
              onClick={() => setPrice(toAmountText(Math.round(suggested / unit) * unit, currency))}
            >
              {t('takeSuggestion')}
            </Button>
          </p>
        )}
        <TextField
          label={t('location')}
          maxLength={100}
          autoComplete="off"
          value={location}
          onValueChange={setLocation}
        />
      </ApiForm>
    </Card>
  )
}

/** What was spent on the device after its purchase. */
function CostsCard({ item }: { item: StockItemWire }) {
  const { t } = useTranslation('stock')
  const removing = useApiMutation()
  const sum = item.costs.reduce((total, { amount }) => total + amount, 0)
  const keep = (costs: readonly Cost[]) =>
    costs.map(({ id, kind, note, amount, minutes, date }) => ({
      id,
      kind,
      note,
      amount,
      date,
      ...(minutes === null ? {} : { minutes }),
    }))
  const remove = (id: string) =>
    removing.mutate(() => change(item.id, { costs: keep(item.costs.filter((cost) => cost.id !== id)) }))
  return (
    <Card title={t('costs')} action={sum > 0 ? <strong>{formatAmount(sum, item.currency)}</strong> : undefined}>
      {item.costs.length === 0 ? <p className="muted">{t('noCosts')}</p> : null}
      <ul className="plain-list">
        {item.costs.map((cost) => (
          <li key={cost.id}>
            <span>
              {cost.note || t(`costKind.${cost.kind}`)}
              <span className="muted block">
                {[
                  cost.note ? t(`costKind.${cost.kind}`) : '',
                  cost.minutes === null ? '' : formatMinutes(cost.minutes),
                  t('on', { date: formatDay(cost.date), by: cost.created_by.name }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span className="stock-cost">
              {formatAmount(cost.amount, item.currency)}{' '}
              <Button variant="link" isBusy={removing.isPending} onClick={() => remove(cost.id)}>
                {t('removeCost')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <ErrorMessage error={removing.error} />
      <NewCost key={item.costs.length} item={item} kept={keep(item.costs)} />
    </Card>
  )
}

function NewCost({ item, kept }: { item: StockItemWire; kept: readonly object[] }) {
  const { t } = useTranslation('stock')
  const [kind, setKind] = useState<StockCostKind>('part')
  const [note, setNote] = useState('')
  const [amount, setAmount] = useState('')
  const [minutes, setMinutes] = useState('')
  const confirmed = useConfirmedAmount()
  const send = async () => {
    const cost = {
      kind,
      ...(note.trim() ? { note: note.trim() } : {}),
      ...(amount.trim() ? { amount: readAmountText(amount, item.currency) ?? undefined } : {}),
      ...(minutes ? { minutes: Number(minutes) } : {}),
    }
    await confirmed(cost, (confirmation) => change(item.id, { costs: [...kept, cost], ...confirmation }))
  }
  return (
    <details className="stock-new-cost">
      <summary>{t('addCost')}</summary>
      <ApiForm action={t('addCost')} send={send}>
        <div className="stock-cost-fields">
          <SelectField
            label={t('costKindLabel')}
            value={kind}
            options={STOCK_COST_KINDS.map((each) => [each, t(`costKind.${each}`)] as const)}
            onValueChange={setKind}
          />
          <TextField label={t('costNote')} maxLength={200} autoComplete="off" value={note} onValueChange={setNote} />
          <TextField
            label={t('costAmount', { currency: item.currency })}
            inputMode="decimal"
            pattern={AMOUNT_PATTERN}
            required={minutes === ''}
            autoComplete="off"
            value={amount}
            onValueChange={setAmount}
          />
          <TextField
            label={t('costMinutes')}
            hint={t('costMinutesHint')}
            type="number"
            min={1}
            max={100_000}
            value={minutes}
            onValueChange={setMinutes}
          />
        </div>
      </ApiForm>
    </details>
  )
}

const LABEL_KEY = 'label-size'
const labelText = (size: LabelSize) => `${size.replace('x', ' × ')} mm`

/** The label on the screen as it is printed. The size is that of the printer at this device, else that of the shop. */
function LabelCard({ item }: { item: StockItemWire }) {
  const { t } = useTranslation('stock')
  const [chosen, setChosen] = useState(localStorage.getItem(LABEL_KEY))
  const sizeOfShop = useOperation('GET /api/manage/settings', {}).data?.data.receipt.label
  const size = LABEL_SIZES.find((each) => each === chosen) ?? (sizeOfShop || LABEL_SIZES[0])
  function choose(wanted: LabelSize) {
    localStorage.setItem(LABEL_KEY, wanted)
    setChosen(wanted)
  }
  return (
    <Card title={t('label')} note={item.asking_price === null ? t('labelNote') : undefined}>
      <div className="stack">
        <SegmentedControl
          label={t('labelSize')}
          options={LABEL_SIZES.map((each) => ({ value: each, text: labelText(each) }))}
          chosen={size}
          choose={choose}
        />
        <div className="label-preview">
          <Label item={item} size={size} />
        </div>
        <p className="actions">
          <Button onClick={() => void printPage('label')}>{t('printLabel')}</Button>
        </p>
      </div>
      <LabelsToPrint items={[item]} size={size} />
    </Card>
  )
}

function PhotosCard({ item }: { item: StockItemWire }) {
  const { t } = useTranslation('stock')
  const changing = useApiMutation()
  const photos = item.photos ?? []
  return (
    <Card title={t('photos')}>
      <PhotoButton
        label={t('addPhoto')}
        isDisabled={changing.isPending || photos.length >= MAX_STOCK_PHOTOS}
        add={(image) => changing.mutate(() => change(item.id, { add_photos: [image] }))}
      />
      <PhotoList
        photos={photos.map(({ image }, index) => ({ image, label: t('photoOf', { number: index + 1 }) }))}
        remove={(index) => changing.mutate(() => change(item.id, { remove_photos: [photos[index]?.id] }))}
      />
      <ErrorMessage error={changing.error} />
    </Card>
  )
}
