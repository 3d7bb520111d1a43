import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import type { DefectCode } from '../../../src/contract/defect-catalogue.ts'
import { defectsOfKind } from '../../../src/contract/device-kinds.ts'
import { codeTexts } from '../../codes.ts'
import { Chips } from '../../ui/chips.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField, toggle } from '../../ui/field.tsx'
import { DevicePicker, type PickedDevice } from '../device-picker/device-picker.tsx'
import type { AppraisedRow } from './appraised-row.ts'
import type { RowCorrection } from './list-rows.ts'

/** Corrects device, storage, grade and faults of a row; saving settles its questions. */
export function RowDialog({
  row,
  correct,
  close,
}: {
  row: AppraisedRow
  correct: (line: number, correction: RowCorrection) => Promise<void>
  close: () => void
}) {
  const { t } = useTranslation('appraise-list')
  const { gradeName, defect } = codeTexts()
  const [device, setDevice] = useState<PickedDevice | null>(null)
  const [storage, setStorage] = useState(row.storage)
  const [grade, setGrade] = useState<Condition | null>(row.isGradeAssumed ? null : row.grade)
  const [defects, setDefects] = useState(row.defects)
  const deviceId = device?.id ?? row.change?.device_id ?? undefined
  const send = () =>
    correct(row.line, {
      device_id: deviceId,
      storage: storage.trim() || undefined,
      condition: grade ?? undefined,
      defects: [...defects] as DefectCode[],
    })
  return (
    <FormDialog title={t('edit.title', { line: row.line })} action={t('edit.save')} send={send} close={close}>
      <p className="muted list-cells">{row.own.filter((cell) => cell.trim()).join(' · ')}</p>
      {row.questions.map((question) => (
        <p key={question} className="doubt">
          {question}
        </p>
      ))}
      <div>
        <DevicePicker label={t('edit.device')} pick={setDevice} />
        <p className="hint">{device?.name ?? (row.deviceId ? row.name : t('results.unknownDevice'))}</p>
        {row.deviceId || device ? null : <Candidates row={row} pick={setDevice} />}
      </div>
      <div>
        <TextField label={t('field.storage')} maxLength={100} value={storage} onValueChange={setStorage} />
        {row.storages.length > 0 ? (
          <Chips
            legend={t('field.storage')}
            isLegendHidden
            options={row.storages.map((size) => ({ value: size, text: size }))}
            isPressed={(size) => storage === size}
            press={setStorage}
            isSmall
          />
        ) : null}
      </div>
      <Chips
        legend={t('field.condition')}
        options={CONDITIONS.map((each) => ({ value: each, text: gradeName(each) }))}
        isPressed={(each) => grade === each}
        press={(each) => setGrade(grade === each ? null : each)}
      />
      <Chips
        legend={t('field.defects')}
        options={defectsOfKind(row.deviceKind).map(({ code }) => ({
          value: code,
          text: defect(code, row.deviceKind).name,
        }))}
        isPressed={(code) => defects.includes(code)}
        press={(code) => setDefects(toggle(defects, code))}
        isSmall
      />
    </FormDialog>
  )
}

/** Devices that the words of the row may mean. */
export function Candidates({ row, pick }: { row: AppraisedRow; pick: (device: PickedDevice) => void }) {
  const { t } = useTranslation('appraise-list')
  return row.candidates.slice(0, 2).map((candidate) => (
    <button key={candidate.id} type="button" className="button button-link" onClick={() => pick(candidate)}>
      {t('didYouMean', { device: candidate.name })}
    </button>
  ))
}
