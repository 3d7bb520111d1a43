import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field, SegmentedControl, SelectField } from '../../ui/field.tsx'
import { NO_API_KEY, NO_HEADER } from './secret-headers.tsx'
import { CredentialFields, MappingFields, type Secrets, SourceFields, secretsBody } from './source-fields.tsx'
import { type Definition, toDefinition, toForm } from './source-form.ts'
import { SOURCE_TEMPLATES } from './source-templates.ts'
import { SourceTest } from './source-test.tsx'

type Template = keyof typeof SOURCE_TEMPLATES
const TEMPLATES = Object.keys(SOURCE_TEMPLATES) as Template[]
const toJson = (definition: Definition) => JSON.stringify(definition, null, 2)

/** Adds or edits a source: as a form, or as the JSON that a file of sources has. */
export function SourceDialog({
  source,
  close,
}: {
  source: ServiceSettingsWire['sources'][number] | null
  close: () => void
}) {
  const { t } = useTranslation(['service-settings', 'common'])
  const [template, setTemplate] = useState<Template>('registry')
  const [form, setForm] = useState(() => toForm(source ? source.definition : SOURCE_TEMPLATES.registry))
  /** Null while the form is shown. */
  const [json, setJson] = useState<string | null>(null)
  const [jsonError, setJsonError] = useState<string>()
  const [secrets, setSecrets] = useState<Secrets>({
    header: source ? NO_HEADER : NO_API_KEY,
    clientSecret: '',
  })
  const request = () => {
    const definition: Definition = json === null ? toDefinition(form) : JSON.parse(json)
    return { definition: { ...definition }, ...secretsBody(secrets, form) }
  }
  async function save() {
    const body = request()
    await callApi('PUT /api/manage/service/sources/{name}', { params: { name: String(body.definition.name) }, body })
  }

  function choose(next: Template) {
    setTemplate(next)
    setForm(toForm(SOURCE_TEMPLATES[next]))
    setJson(json === null ? null : toJson(SOURCE_TEMPLATES[next]))
  }
  function show(view: 'form' | 'json') {
    setJsonError(undefined)
    if (view === 'json') return setJson(toJson(toDefinition(form)))
    try {
      setForm(toForm(JSON.parse(json ?? '')))
      setJson(null)
    } catch (error) {
      setJsonError(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <FormDialog
      title={source ? t('editNamed', { name: source.name }) : t('sources.addTitle')}
      action={t('common:action.save')}
      send={save}
      close={close}
    >
      {source ? null : (
        <SelectField
          label={t('sources.template')}
          hint={t('sources.templateHint')}
          value={template}
          options={TEMPLATES.map((each) => [each, t(`sources.templates.${each}`)] as const)}
          onValueChange={choose}
        />
      )}
      <SegmentedControl
        label={t('sources.view')}
        options={[
          { value: 'form', text: t('sources.form') },
          { value: 'json', text: t('sources.json') },
        ]}
        chosen={json === null ? 'form' : 'json'}
        choose={show}
      />
      {json === null ? (
        <SourceFields form={form} change={setForm} isNew={source === null} />
      ) : (
        <Field label={t('sources.definition')} hint={t('sources.definitionHint')} error={jsonError}>
          {(props) => (
            <textarea
              {...props}
              className="json-field"
              rows={16}
              spellCheck={false}
              required
              value={json}
              onChange={(event) => setJson(event.target.value)}
            />
          )}
        </Field>
      )}
      <CredentialFields form={form} change={setForm} secrets={secrets} changeSecrets={setSecrets} source={source} />
      {json === null ? <MappingFields form={form} change={setForm} /> : null}
      <fieldset className="choices section">
        <legend>{t('sources.testTitle')}</legend>
        <SourceTest request={request} />
      </fieldset>
    </FormDialog>
  )
}
