import { useState } from 'react'
import { DEFECTS, type DefectCode } from '../../../src/contract/defect-catalogue.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** Shown first; the other defects apply to some kinds of devices only. */
const COMMON_DEFECTS: readonly DefectCode[] = [
  'cracked_screen',
  'cracked_back',
  'weak_battery',
  'charging_port',
  'camera',
  'speaker_or_microphone',
  'buttons',
  'biometric_sensor',
  'no_power',
  'water_damage',
  'activation_locked',
  'missing_accessories',
]

export function DefectPicker({
  ticked,
  tick,
}: {
  ticked: readonly string[]
  tick: (defects: readonly string[]) => void
}) {
  const [all, setAll] = useState(false)
  const shown = DEFECTS.filter(({ code }) => all || COMMON_DEFECTS.includes(code) || ticked.includes(code))
  const toggle = (code: string) =>
    tick(ticked.includes(code) ? ticked.filter((one) => one !== code) : [...ticked, code])
  return (
    <Card
      title="Faults"
      action={
        all ? undefined : (
          <Button variant="link" onClick={() => setAll(true)}>
            Show all {DEFECTS.length}
          </Button>
        )
      }
    >
      <fieldset className="defects">
        <legend className="visually-hidden">Defects</legend>
        {shown.map(({ code, name, description }) => (
          <label key={code} className="defect">
            <input type="checkbox" checked={ticked.includes(code)} onChange={() => toggle(code)} />
            <span>
              {name}
              <span className="muted block">{description}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
