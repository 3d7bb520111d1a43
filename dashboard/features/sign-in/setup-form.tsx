import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { SignInOptionsWire } from '../../../src/contract/account.ts'
import { MIN_PASSWORD_LENGTH } from '../../../src/contract/account-limits.ts'
import { callApi } from '../../api.ts'
import { localizedMarkets } from '../../markets.ts'
import { queryClient } from '../../queries.ts'
import { bindFields, EmailField, PasswordField, SelectField, TextField } from '../../ui/field.tsx'
import { ApiForm } from '../../ui/form.tsx'

/** Of an installation that sets no MARKET. */
const DEFAULT_MARKET = 'us'

type SetupFormProps = Pick<SignInOptionsWire, 'service_market' | 'markets'>

const EMPTY = { code: '', organization: '', name: '', email: '', password: '' }

/** Creates the first owner of a new installation. */
export function SetupForm({ service_market: serviceMarket, markets }: SetupFormProps) {
  const { t } = useTranslation('sign-in')
  const [market, setMarket] = useState(() => likelyMarket(serviceMarket, markets))
  const [, navigate] = useLocation()
  const [given, setGiven] = useState(EMPTY)
  const bind = bindFields(given, setGiven)
  const send = async () => {
    await callApi('POST /account/setup', { body: { ...given, market } })
    queryClient.clear()
    navigate('/dashboard', { replace: true })
  }
  return (
    <>
      <p>{t('setup.lead')}</p>
      <ApiForm action={t('setup.submit')} send={send}>
        <TextField
          label={t('setup.code')}
          hint={t('setup.codeHint')}
          autoFocus
          className="code-field"
          autoComplete="off"
          spellCheck={false}
          required
          {...bind('code')}
        />
        <div className="field-pair">
          <TextField
            label={t('setup.organization')}
            hint={t('setup.organizationHint')}
            autoComplete="organization"
            maxLength={100}
            required
            {...bind('organization')}
          />
          <SelectField
            label={t('setup.market')}
            hint={t('setup.marketHint')}
            value={market}
            options={localizedMarkets(markets).map(({ code, name }) => [code, name] as const)}
            onValueChange={setMarket}
          />
        </div>
        <div className="field-pair">
          <TextField
            label={t('join.name')}
            hint={t('setup.nameHint')}
            autoComplete="name"
            maxLength={100}
            required
            {...bind('name')}
          />
          <EmailField label={t('email')} autoComplete="username" {...bind('email')} />
        </div>
        <PasswordField
          label={t('password')}
          hint={t('passwordHint', { length: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          {...bind('password')}
        />
      </ApiForm>
      <p className="hint">
        <Trans t={t} i18nKey="setup.help" components={{ code: <code /> }} />
      </p>
    </>
  )
}

/** The configured market; where none was configured, the country of the browser's language. */
function likelyMarket(serviceMarket: string, markets: SetupFormProps['markets']): string {
  if (serviceMarket !== DEFAULT_MARKET) return serviceMarket
  const region = new Intl.Locale(navigator.language).maximize().region?.toLowerCase()
  return markets.find(({ code }) => code === region)?.code ?? serviceMarket
}
