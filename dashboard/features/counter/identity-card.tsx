import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { DeviceWire } from '../../../src/contract/device.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatDay, formatPercent } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DevicePicture } from '../../ui/device-picture.tsx'
import { Card } from '../../ui/page.tsx'
import type { Deal, UpdateDeal } from './deal.ts'
import { DeviceSearchBox } from './device-search-box.tsx'
import { IdentifierForm } from './risk-card.tsx'
import { isShownFact } from './search-suggestions.ts'

type Variant = DeviceWire['variants'][number]
type Choice = { readonly name: string; readonly values: readonly string[]; readonly chosen: string }
type Attributes = Readonly<Record<string, string>>

const attributeOf = (variant: Variant, name: string) =>
  variant.attributes.find((attribute) => attribute.attribute_name === name)?.attribute_value ?? ''
const enabledVariants = (device: DeviceWire) => device.variants.filter((variant) => !variant.disabled)

/** Attributes to choose, storage first. Memory that follows from the storage is not asked for. */
function attributeChoices(device: DeviceWire, chosen: Attributes): Choice[] {
  const variants = enabledVariants(device)
  const names = new Set(variants.flatMap(({ attributes }) => attributes.map((attribute) => attribute.attribute_name)))
  const followsFromStorage = (name: string) =>
    name === 'ram' &&
    [...Map.groupBy(variants, (variant) => attributeOf(variant, 'storage'))].every(
      ([storage, group]) =>
        (chosen.storage !== undefined && storage !== chosen.storage) ||
        new Set(group.map((variant) => attributeOf(variant, name))).size === 1,
    )
  return [...names]
    .sort((a, b) => Number(b === 'storage') - Number(a === 'storage'))
    .filter((name) => !followsFromStorage(name))
    .flatMap((name) => {
      const values = [...new Set(variants.map((variant) => attributeOf(variant, name)).filter(Boolean))]
      return values.length > 1 ? [{ name, values, chosen: chosen[name] ?? '' }] : []
    })
}

/** The chosen attributes with one changed; drops those that no variant has together with it. */
function withAttribute(device: DeviceWire, chosen: Attributes, name: string, value: string): Attributes {
  const { [name]: _, ...others } = chosen
  if (!value) return others
  const having = enabledVariants(device).filter((variant) => attributeOf(variant, name) === value)
  const fitting = Object.entries(others).filter(([other, word]) =>
    having.some((variant) => attributeOf(variant, other) === word),
  )
  return { ...Object.fromEntries(fitting), [name]: value }
}

export function IdentityCard({
  preview,
  deal,
  change,
  scanned,
  look,
}: {
  preview: AppraisalPreviewWire
  deal: Deal
  change: UpdateDeal
  /** An IMEI that is scanned or typed while the device is unknown. */
  scanned: (identifier: string) => unknown
  /** The IMEI of this device. */
  look: (identifier: string) => void
}) {
  const { t } = useTranslation('counter')
  const mayCheck = useHasTier('enterprise')
  const { identity } = preview
  const query = useOperation(
    'GET /api/devices/{id}',
    identity.device_id ? { params: { id: identity.device_id } } : null,
  )
  const device = query.data?.data
  if (!identity.device_id) return <NotIdentified preview={preview} change={change} scanned={scanned} />
  const known = Object.fromEntries(
    (identity.attributes ?? []).map((attribute) => [attribute.attribute_name, attribute.attribute_value]),
  )
  const chosen: Attributes = { ...known, ...deal.attributes }
  const choices = device ? attributeChoices(device, chosen) : []
  const inColor = chosen.color && device?.variants.find((variant) => attributeOf(variant, 'color') === chosen.color)
  // A chosen variant is replaced by its attributes. A device found by its name or identifier stays found that way.
  const pick = (name: string, value: string) => {
    if (!device) return
    const attributes = withAttribute(device, deal.variant ? chosen : deal.attributes, name, value)
    change(deal.variant ? { variant: null, device: device.id, attributes } : { attributes })
  }
  const matters = new Set(
    identity.unresolved_attributes.filter((attribute) => attribute.affects_price).map((attribute) => attribute.name),
  )
  return (
    <Card>
      <div className="what">
        {device ? <DevicePicture of={(inColor || device).thumbnail} /> : <span className="picture" />}
        <div>
          <h2>{codeTexts().deviceTitle(identity)}</h2>
          <p className="muted">
            {[
              identity.identified_by ? t(`identity.${identity.identified_by}`) : '',
              identity.confidence < 100
                ? t('identity.confidence', { percent: formatPercent(identity.confidence / 100) })
                : '',
              device ? `${device.make.name} ${codeTexts().category(device.category)}` : '',
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      </div>
      {identity.known_to_you.slice(0, 3).map((deal) => (
        <KnownDeal key={deal.appraisal_id} deal={deal} />
      ))}
      {identity.contradictions.map((contradiction) => (
        <p key={contradiction.code} className="doubt">
          <Trans
            t={t}
            i18nKey="identity.conflict"
            values={{ message: codeTexts().contradiction(contradiction, preview) }}
            components={{ strong: <strong /> }}
          />
        </p>
      ))}
      <StatedFacts fields={preview.read_from_text} />
      {preview.risk ? null : mayCheck ? (
        <IdentifierForm look={look} label={t('risk.identifier')} />
      ) : (
        <p className="muted">{t('search.needsEnterprise')}</p>
      )}
      <div className={query.isLoading ? 'picks picks-loading' : 'picks'}>
        {choices.map((choice) =>
          choice.name === 'storage' || matters.has(choice.name) ? (
            <AttributeChips key={choice.name} choice={choice} isOpen={matters.has(choice.name)} pick={pick} />
          ) : (
            <label key={choice.name} className="field">
              <span className="pick-name">{codeTexts().attributeName(choice.name)}</span>
              <select value={choice.chosen} onChange={(event) => pick(choice.name, event.target.value)}>
                <option value="">{t('identity.any')}</option>
                {choice.values.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </select>
            </label>
          ),
        )}
      </div>
    </Card>
  )
}

/** What the text says without effect on the price. */
function StatedFacts({ fields }: { fields: AppraisalPreviewWire['read_from_text'] }) {
  const { t } = useTranslation('counter')
  const words = [...new Set(fields.filter(isShownFact).map((field) => field.words))]
  return words.length === 0 ? null : <p className="muted">{t('identity.says', { words: words.join(' · ') })}</p>
}

/** What the shop did before with this very device. */
function KnownDeal({ deal }: { deal: AppraisalPreviewWire['identity']['known_to_you'][number] }) {
  const { t } = useTranslation('counter')
  const { appraisal_id: id, status, date, by, price, currency } = deal
  const text = t(`known.${status}`, { date: formatDay(date), by, price: formatAmount(price, currency) })
  return (
    <p className={status === 'in_stock' ? 'doubt' : 'muted'}>
      {text} <Link to={`/dashboard/appraisals/${id}`}>{t('known.open')}</Link>
    </p>
  )
}

function AttributeChips({
  choice,
  isOpen,
  pick,
}: {
  choice: Choice
  isOpen: boolean
  pick: (name: string, value: string) => void
}) {
  const { t } = useTranslation('counter')
  return (
    <fieldset className="chips">
      <legend className="pick-name">
        {codeTexts().attributeName(choice.name)}{' '}
        {isOpen ? <Badge tone="warn">{t('identity.affectsPrice')}</Badge> : null}
      </legend>
      {choice.values.map((value) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={choice.chosen === value}
          onClick={() => pick(choice.name, choice.chosen === value ? '' : value)}
        >
          {value}
        </button>
      ))}
    </fieldset>
  )
}

function NotIdentified({
  preview,
  change,
  scanned,
}: {
  preview: AppraisalPreviewWire
  change: UpdateDeal
  scanned: (identifier: string) => unknown
}) {
  const { t } = useTranslation('counter')
  const { candidates } = preview.identity
  return (
    <Card title={t('identity.which')} note={t('identity.whichNote')}>
      {candidates.length > 0 ? (
        <div className="actions">
          {candidates.map((candidate) => (
            <Button
              key={candidate.device_id}
              onClick={() => change({ device: candidate.device_id, variant: candidate.variant_id, text: null })}
            >
              {candidate.device_name}
            </Button>
          ))}
        </div>
      ) : null}
      <DeviceSearchBox autoFocus={candidates.length === 0} onDevice={change} onIdentifier={scanned} />
    </Card>
  )
}
