import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { useOperation } from '../../queries.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/states.tsx'
import { ExchangeRatesCard } from '../imports/exchange-rates-card.tsx'
import { BackupCard, BaseUrlCard } from './backup-and-url-cards.tsx'
import { FeedsCard } from './feeds-card.tsx'
import { GeneralCard } from './general-card.tsx'
import { MailCard } from './mail-card.tsx'
import { OrganizationsCard } from './organizations-card.tsx'
import { SourcesCard } from './sources-card.tsx'

/** Settings of the whole service, for owners of the organization that runs it. */
export function ServiceSettingsPage() {
  const { t } = useTranslation('service-settings')
  const query = useOperation('GET /api/manage/service', {})
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryView query={query} skeletonLines={10}>
        {(settings) => (
          <div className="stack">
            <GeneralCard settings={settings} />
            <OrganizationsCard />
            <SourcesCard sources={settings.sources} />
            <FeedsCard feeds={settings.feeds} formats={settings.feed_formats} refetch={query.refetch} />
            <ExchangeRatesCard />
            <MailCard mail={settings.mail} />
            <BackupCard backup={settings.backup} refetch={query.refetch} />
            <BaseUrlCard baseUrl={settings.base_url} />
            <EnvironmentCard environment={settings.environment} />
          </div>
        )}
      </QueryView>
    </>
  )
}

function EnvironmentCard({ environment }: Pick<ServiceSettingsWire, 'environment'>) {
  const { t } = useTranslation('service-settings')
  return (
    <Card title={t('environment.title')} note={t('environment.note', { page: 'docs/operations.md' })}>
      {environment.length === 0 ? (
        <p className="muted">{t('environment.none')}</p>
      ) : (
        <DataTable
          label={t('environment.title')}
          rows={environment}
          rowKey={({ name }) => name}
          columns={[
            { title: t('environment.variable'), className: 'nowrap', cell: ({ name }) => <code>{name}</code> },
            { title: t('environment.value'), className: 'breakable', cell: ({ value }) => value },
            {
              title: t('environment.meaning'),
              cell: ({ name, description }) => t(`variable.${name as 'PORT'}`, { defaultValue: description }),
            },
          ]}
        />
      )}
    </Card>
  )
}
