import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { Button } from '../../ui/button.tsx'
import { bindFields, Select, SelectField, TextField, toggle } from '../../ui/field.tsx'
import { enteredHeaders, SecretField, type SecretHeader, SecretHeaderFields } from './secret-headers.tsx'
import { MEANINGS, type SourceForm, STATUSES, type Status, type StatusForm, type Word } from './source-form.ts'

type Change = (form: SourceForm) => void
const IDENTIFIERS = ['imei', 'meid', 'esn', 'serial'] as const
const METHODS = ['GET', 'POST'] as const
const NO_OAUTH = { tokenUrl: '', clientId: '', scope: '' }

export type Secrets = { readonly header: SecretHeader; readonly clientSecret: string }

/** Secrets as the API takes them; those that were not entered are left out and stay as stored. */
export const secretsBody = ({ header, clientSecret }: Secrets, { oauth }: SourceForm) => ({
  ...enteredHeaders(header),
  ...(oauth && clientSecret ? { client_secret: clientSecret } : {}),
})

export function SourceFields({ form, change, isNew }: { form: SourceForm; change: Change; isNew: boolean }) {
  const { t } = useTranslation(['service-settings', 'codes'])
  const set = (fields: Partial<SourceForm>) => change({ ...form, ...fields })
  const bind = bindFields(form, change)
  return (
    <>
      <TextField
        label={t('name')}
        hint={isNew ? t('nameHint') : t('nameFixed')}
        required
        readOnly={!isNew}
        pattern="[a-z0-9][a-z0-9_\-]{0,30}"
        maxLength={31}
        autoComplete="off"
        {...bind('name')}
      />
      <div className="method-and-url">
        <SelectField
          label={t('sources.method')}
          value={form.method}
          options={METHODS}
          onValueChange={(value) => set({ method: value === 'POST' ? 'POST' : 'GET' })}
        />
        <TextField label={t('sources.url')} required pattern="https?://.+" maxLength={2_000} {...bind('url')} />
      </div>
      <p className="hint">{form.method === 'GET' ? t('sources.urlHint') : t('sources.urlHintPost')}</p>
      {form.method === 'POST' && form.bodyField !== null ? (
        <TextField
          label={t('sources.bodyField')}
          maxLength={100}
          value={form.bodyField}
          onValueChange={(bodyField) => set({ bodyField })}
        />
      ) : null}
      <fieldset className="choices">
        <legend>{t('sources.identifiers')}</legend>
        <div className="inline-choices">
          {IDENTIFIERS.map((type) => (
            <label key={type}>
              <input
                type="checkbox"
                checked={form.identifiers.includes(type)}
                onChange={() => set({ identifiers: toggle(form.identifiers, type) })}
              />{' '}
              {type === 'serial' ? t('codes:identifier.serial') : type.toUpperCase()}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="two-fields">
        <TextField label={t('sources.list')} hint={t('sources.listHint')} maxLength={80} {...bind('list')} />
        <TextField label={t('sources.area')} hint={t('sources.areaHint')} maxLength={40} {...bind('area')} />
      </div>
    </>
  )
}

export function CredentialFields({
  form,
  change,
  secrets,
  changeSecrets,
  source,
}: {
  form: SourceForm
  change: Change
  secrets: Secrets
  changeSecrets: (secrets: Secrets) => void
  source: ServiceSettingsWire['sources'][number] | null
}) {
  const { t } = useTranslation('service-settings')
  const { oauth } = form
  const bind = bindFields(oauth ?? NO_OAUTH, (changed) => change({ ...form, oauth: changed }))
  return (
    <fieldset className="choices section">
      <legend>{t('sources.credentials')}</legend>
      <SelectField
        label={t('sources.login')}
        value={oauth ? 'oauth' : 'header'}
        options={[
          ['header', t('sources.loginHeader')],
          ['oauth', t('sources.loginOauth')],
        ]}
        onValueChange={(value) => change({ ...form, oauth: value === 'oauth' ? NO_OAUTH : null })}
      />
      {oauth ? (
        <>
          <TextField
            label={t('sources.tokenUrl')}
            required
            pattern="https?://.+"
            maxLength={2_000}
            {...bind('tokenUrl')}
          />
          <TextField label={t('sources.clientId')} required maxLength={200} autoComplete="off" {...bind('clientId')} />
          <SecretField
            label={t('sources.clientSecret')}
            stored={source?.has_client_secret ? t('sources.clientSecret') : ''}
            value={secrets.clientSecret}
            onValueChange={(clientSecret) => changeSecrets({ ...secrets, clientSecret })}
          />
          <TextField label={t('sources.scope')} maxLength={500} {...bind('scope')} />
        </>
      ) : (
        <SecretHeaderFields
          header={secrets.header}
          change={(header) => changeSecrets({ ...secrets, header })}
          storedNames={source?.header_names ?? []}
        />
      )}
    </fieldset>
  )
}

/** What the response of the source means. */
export function MappingFields({ form, change }: { form: SourceForm; change: Change }) {
  const { t } = useTranslation('service-settings')
  const setStatus = (status: Status, mapping: StatusForm | undefined) => {
    const { [status]: _, ...others } = form.statuses
    change({ ...form, statuses: mapping ? { ...others, [status]: mapping } : others })
  }
  return (
    <fieldset className="choices section">
      <legend>{t('sources.meaning')}</legend>
      <p className="hint">{t('sources.meaningHint')}</p>
      <TextField
        label={t('sources.identifierPath')}
        hint={t('sources.identifierPathHint')}
        maxLength={200}
        {...bindFields(form, change)('identifierPath')}
      />
      {STATUSES.map((status) => {
        const mapping = form.statuses[status]
        return (
          <div key={status} className="status-mapping">
            <label>
              <input
                type="checkbox"
                checked={mapping !== undefined}
                onChange={() => setStatus(status, mapping ? undefined : { path: '', words: [newWord(status)] })}
              />{' '}
              {t(`status.${status}`)}
            </label>
            {mapping ? (
              <StatusFields status={status} mapping={mapping} change={(next) => setStatus(status, next)} />
            ) : null}
          </div>
        )
      })}
      <p className="hint">{t('sources.moreInJson')}</p>
    </fieldset>
  )
}

const newWord = (status: Status): Word => ({ text: '', meaning: MEANINGS[status][0] })

function StatusFields({
  status,
  mapping: { path, words },
  change,
}: {
  status: Status
  mapping: StatusForm
  change: (mapping: StatusForm) => void
}) {
  const { t } = useTranslation(['service-settings', 'common'])
  const setWord = (at: number, word: Word) => change({ path, words: words.with(at, word) })
  return (
    <>
      <TextField
        label={t('sources.path')}
        hint={t('sources.pathHint')}
        required
        maxLength={200}
        value={path}
        onValueChange={(next) => change({ path: next, words })}
      />
      <ul className="word-list">
        {words.map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words are edited in place
          <li key={at}>
            <input
              aria-label={t('sources.word')}
              placeholder={t('sources.word')}
              value={word.text}
              maxLength={100}
              onChange={(event) => setWord(at, { ...word, text: event.target.value })}
            />
            <Select
              aria-label={t('sources.wordMeaning', { word: word.text })}
              value={word.meaning}
              options={MEANINGS[status].map((meaning) => [meaning, t(`meaning.${meaning}`)] as const)}
              onValueChange={(value) => setWord(at, { ...word, meaning: value })}
            />
            <Button
              variant="link"
              aria-label={t('common:action.removeNamed', { name: word.text })}
              onClick={() => change({ path, words: words.toSpliced(at, 1) })}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => change({ path, words: [...words, newWord(status)] })}>{t('sources.addWord')}</Button>
      </div>
    </>
  )
}
