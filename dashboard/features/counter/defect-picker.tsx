import { type DeviceKind, defectsOfKind } from '../../../src/contract/device-kinds.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'

/** The defects that this kind of device can have; all defects where the kind is unknown. */
export function DefectPicker({
  kind,
  ticked,
  read,
  tick,
}: {
  kind: DeviceKind | null
  ticked: readonly string[]
  /** Defects that were read from the typed text. */
  read: readonly string[]
  tick: (defects: readonly string[]) => void
}) {
  const toggle = (code: string) =>
    tick(ticked.includes(code) ? ticked.filter((one) => one !== code) : [...ticked, code])
  return (
    <Card title="Faults">
      <fieldset className="defects">
        <legend className="visually-hidden">Defects</legend>
        {defectsOfKind(kind).map(({ code, name, description }) => (
          <label key={code} className="defect">
            <input type="checkbox" checked={ticked.includes(code)} onChange={() => toggle(code)} />
            <span>
              {name} {read.includes(code) && ticked.includes(code) ? <Badge tone="blue">from your text</Badge> : null}
              <span className="muted block">{description}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
