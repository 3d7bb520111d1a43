import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DeviceKind, defectsOfKind } from '../../../src/contract/device-kinds.ts'
import { codeTexts } from '../../codes.ts'
import { useOperation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { SearchField, toggle } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { DEFECT_GROUPS, groupOf, isFound } from './defect-groups.ts'

/** The defects that this device can have, in three groups or found by typing; all where its kind is unknown. */
export function DefectPicker({
  deviceId,
  kind,
  ticked,
  read,
  tick,
}: {
  deviceId: string | null
  kind: DeviceKind | null
  ticked: readonly string[]
  /** Defects that were read from the typed text. */
  read: readonly string[]
  tick: (defects: readonly string[]) => void
}) {
  const { t } = useTranslation('counter')
  const texts = codeTexts()
  const [typed, setTyped] = useState('')
  const possible = useOperation('GET /api/meta/defects', deviceId ? { query: { device_id: deviceId } } : null).data
    ?.data
  const isPossible = (code: string) => ticked.includes(code) || !possible || possible.some((each) => each.code === code)
  const defects = defectsOfKind(kind)
    .filter(({ code }) => isPossible(code))
    .map(({ code }) => ({ code, ...texts.defect(code, kind) }))
  const found = defects.filter(({ name, description }) => isFound(typed, `${name} ${description}`))
  const groups = DEFECT_GROUPS.map((group) => ({ group, found: found.filter(({ code }) => groupOf(code) === group) }))
  return (
    <Card title={t('defects.title')}>
      <SearchField
        className="defect-search"
        label={t('defects.find')}
        placeholder={t('defects.find')}
        maxLength={60}
        autoComplete="off"
        value={typed}
        onValueChange={setTyped}
      />
      {found.length === 0 ? <p className="muted">{t('defects.none')}</p> : null}
      {groups
        .filter((each) => each.found.length > 0)
        .map((each) => (
          <fieldset key={each.group} className="defects">
            <legend>{t(`defects.group.${each.group}`)}</legend>
            {each.found.map(({ code, name, description }) => (
              <label key={code} className="defect">
                <input type="checkbox" checked={ticked.includes(code)} onChange={() => tick(toggle(ticked, code))} />
                <span>
                  {name}{' '}
                  {read.includes(code) && ticked.includes(code) ? <Badge tone="blue">{t('defects.read')}</Badge> : null}
                  <span className="muted block">{description}</span>
                </span>
              </label>
            ))}
          </fieldset>
        ))}
    </Card>
  )
}
