import { useTranslation } from 'react-i18next'
import { useChangeLanguage } from '../../language.ts'
import { useSession } from '../../session.tsx'
import { Field } from '../../ui/field.tsx'
import { LanguageSelect } from '../../ui/language-select.tsx'
import { Card } from '../../ui/page.tsx'

export function LanguageCard() {
  const { t } = useTranslation()
  const { person } = useSession()
  const change = useChangeLanguage()
  return (
    <Card title={t('language.label')}>
      <Field label={t('language.label')} hint={t('language.hint')}>
        {({ id }) => (
          <LanguageSelect id={id} value={person.language} automatic={t('language.browser')} choose={change} />
        )}
      </Field>
    </Card>
  )
}
