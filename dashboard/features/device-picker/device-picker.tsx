import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceName } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useSuggestions } from '../counter/search-suggestions.ts'

export type PickedDevice = { readonly id: string; readonly name: string }

/** Text field that suggests devices of the catalogue. */
export function DevicePicker({
  label,
  isLabelHidden = false,
  initialText = '',
  autoFocus = false,
  pick,
}: {
  label: string
  isLabelHidden?: boolean
  initialText?: string
  autoFocus?: boolean
  pick: (device: PickedDevice) => void
}) {
  const { t } = useTranslation()
  const id = useId()
  const [text, setText] = useState(initialText)
  const [active, setActive] = useState(0)
  const { suggestions, isFresh } = useSuggestions(text)
  const devices = suggestions.filter(({ kind }) => kind === 'device')
  const isOpen = text.trim() !== '' && devices.length > 0
  const chosen = Math.min(active, devices.length - 1)

  function take(device: PickedDevice | undefined) {
    if (!device) return
    pick(device)
    setText('')
  }
  function onKey(event: KeyboardEvent) {
    if (!isOpen) return
    if (event.key === 'ArrowDown') setActive(Math.min(devices.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(0, chosen - 1))
    else if (event.key === 'Enter') {
      // Suggestions for an earlier text can be clicked, but Enter would take one that nobody chose.
      if (isFresh) take(devices[chosen])
    } else if (event.key === 'Escape') setText('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="field device-picker">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <input
        id={id}
        // A form is not sent with a device that was typed but not chosen.
        ref={(input) => input?.setCustomValidity(text.trim() === '' ? '' : t('devicePicker.choose'))}
        type="search"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: opened to type here
        autoFocus={autoFocus}
        maxLength={300}
        placeholder={t('devicePicker.placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKey}
      />
      <div
        className={isFresh ? 'question-list' : 'question-list question-list-stale'}
        id={`${id}-list`}
        role="listbox"
        aria-label={t('devicePicker.suggestions')}
        aria-busy={!isFresh}
        hidden={!isOpen}
      >
        {devices.map((device, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys
          <div
            key={device.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => take(device)}
          >
            <strong>{device.name}</strong>
            <span className="muted">{device.detail}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

/** The name of a device, and its id until that is known. */
export function DeviceName({ id }: { id: string }) {
  const device = useOperation('GET /api/devices/{id}', { params: { id } }).data?.data
  return device ? deviceName(device) : id
}
