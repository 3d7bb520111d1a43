import { useTranslation } from 'react-i18next'
import { type DeviceKind, defectsOfKind } from '../../../src/contract/device-kinds.ts'
import { codeTexts } from '../../codes.ts'
import { Badge } from '../../ui/badge.tsx'
import { toggle } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'

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
  const { t } = useTranslation('counter')
  const texts = codeTexts()
  return (
    <Card title={t('defects.title')}>
      <fieldset className="defects">
        <legend className="visually-hidden">{t('defects.legend')}</legend>
        {defectsOfKind(kind).map(({ code }) => (
          <label key={code} className="defect">
            <input type="checkbox" checked={ticked.includes(code)} onChange={() => tick(toggle(ticked, code))} />
            <span>
              {texts.defect(code, kind).name}{' '}
              {read.includes(code) && ticked.includes(code) ? <Badge tone="blue">{t('defects.read')}</Badge> : null}
              <span className="muted block">{texts.defect(code, kind).description}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
