import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { DeviceWire } from '../../../src/contract/device.ts'
import { humanize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DevicePicture } from '../../ui/device-picture.tsx'
import type { Deal, UpdateDeal } from './deal.ts'
import { DeviceSearchBox } from './device-search-box.tsx'

const IDENTIFIED_BY_LABELS: Readonly<Record<NonNullable<AppraisalPreviewWire['identity']['identified_by']>, string>> = {
  variant_id: 'Selected by you',
  device_id: 'Selected by you',
  text: 'Matched by name',
  identifier: 'Matched by identifier',
}

type Variant = DeviceWire['variants'][number]
type Choice = { readonly name: string; readonly values: readonly string[]; readonly chosen: string }

const attributeOf = (variant: Variant, name: string) =>
  variant.attributes.find((one) => one.attribute_name === name)?.attribute_value ?? ''

/** Attributes that differ between the variants of a device, with the values chosen so far. */
function attributeChoices(device: DeviceWire, deal: Deal): Choice[] {
  const variants = device.variants.filter((variant) => !variant.disabled)
  const named = variants.find(({ id }) => id === deal.variant)
  const names = [...new Set(variants.flatMap(({ attributes }) => attributes.map((one) => one.attribute_name)))]
  return names.flatMap((name) => {
    const values = [...new Set(variants.map((variant) => attributeOf(variant, name)).filter(Boolean))]
    const chosen = named ? attributeOf(named, name) : (deal.attributes[name] ?? '')
    return values.length > 1 ? [{ name, values, chosen }] : []
  })
}

export function IdentityCard({
  preview,
  deal,
  change,
}: {
  preview: AppraisalPreviewWire
  deal: Deal
  change: UpdateDeal
}) {
  const { identity } = preview
  const query = useApiQuery<DeviceWire>(
    identity.device_id ? `/account/explore/devices/${encodeURIComponent(identity.device_id)}` : null,
  )
  const device = query.data?.data
  if (!identity.device_id) return <NotIdentified preview={preview} change={change} />
  const choices = device ? attributeChoices(device, deal) : []
  // Replaces a chosen variant by its attributes, so that a single one can be changed.
  const pick = (name: string, value: string) => {
    const said = Object.fromEntries(choices.map((choice) => [choice.name, choice.chosen]))
    const attributes = Object.fromEntries(Object.entries({ ...said, [name]: value }).filter(([, word]) => word))
    change({ variant: null, device: identity.device_id, attributes })
  }
  const matters = new Set(identity.unresolved_attributes.filter((one) => one.affects_price).map((one) => one.name))
  return (
    <Card>
      <div className="what">
        {device ? <DevicePicture of={device.thumbnail} /> : <span className="picture" />}
        <div>
          <h2>{identity.variant_name ?? identity.device_name}</h2>
          <p className="muted">
            {identity.identified_by ? IDENTIFIED_BY_LABELS[identity.identified_by] : ''}
            {identity.confidence < 100 ? ` · ${identity.confidence} % confidence` : ''}
            {device ? ` · ${device.make.name} ${device.category.name}` : ''}
          </p>
        </div>
      </div>
      {identity.contradictions.map((one) => (
        <p key={one.code} className="doubt">
          <strong>Conflict:</strong> {one.message}
        </p>
      ))}
      <div className="picks">
        {choices.map((choice) =>
          choice.name === 'storage' || matters.has(choice.name) ? (
            <AttributeChips key={choice.name} choice={choice} isOpen={matters.has(choice.name)} pick={pick} />
          ) : (
            <label key={choice.name} className="field">
              <span className="pick-name">{humanize(choice.name)}</span>
              <select value={choice.chosen} onChange={(event) => pick(choice.name, event.target.value)}>
                <option value="">any</option>
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

function AttributeChips({
  choice,
  isOpen,
  pick,
}: {
  choice: Choice
  isOpen: boolean
  pick: (name: string, value: string) => void
}) {
  return (
    <fieldset className="chips">
      <legend className="pick-name">
        {humanize(choice.name)} {isOpen ? <Badge tone="warn">affects the price</Badge> : null}
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

function NotIdentified({ preview, change }: { preview: AppraisalPreviewWire; change: UpdateDeal }) {
  const { candidates } = preview.identity
  return (
    <Card
      title="Which device is it?"
      note="The identifier does not name a single model. Choose one, or search by name or model number."
    >
      {candidates.length > 0 ? (
        <p className="suggestions">
          {candidates.map((one) => (
            <Button key={one.device_id} onClick={() => change({ device: one.device_id, variant: one.variant_id })}>
              {one.device_name}
            </Button>
          ))}
        </p>
      ) : null}
      <DeviceSearchBox onDevice={change} />
    </Card>
  )
}
