import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { useApiQuery } from '../../queries.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ExchangeRatesCard } from '../imports/exchange-rates-card.tsx'
import { BackupCard, BaseUrlCard } from './backup-and-url-cards.tsx'
import { FeedsCard } from './feeds-card.tsx'
import { GeneralCard } from './general-card.tsx'
import { SourcesCard } from './sources-card.tsx'

/** Settings of the whole service, for owners of the organization that runs it. */
export function ServiceSettingsPage() {
  const query = useApiQuery<ServiceSettingsWire>('/account/service')
  return (
    <>
      <PageHeader
        title="Service settings"
        lead="For all organizations of this service. Changes take effect at once and are recorded in the activity."
      />
      <QueryView query={query} skeletonLines={10}>
        {(settings) => (
          <div className="stack">
            <GeneralCard settings={settings} />
            <SourcesCard sources={settings.sources} />
            <FeedsCard feeds={settings.feeds} formats={settings.feed_formats} refetch={query.refetch} />
            <ExchangeRatesCard />
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
  return (
    <Card
      title="From the environment"
      note="Set where the service is started, and changed there. Secrets are masked. docs/operations.md lists all variables."
    >
      {environment.length === 0 ? (
        <p className="muted">No variable is set; every setting has its default or the value chosen above.</p>
      ) : (
        <DataTable label="Variables" head={['Variable', 'Value', 'Meaning']}>
          {environment.map(({ name, value, description }) => (
            <tr key={name}>
              <td data-label="Variable" className="nowrap">
                <code>{name}</code>
              </td>
              <td data-label="Value" className="breakable">
                {value}
              </td>
              <td data-label="Meaning">{description}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  )
}
