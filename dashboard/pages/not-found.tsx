import { Link } from 'wouter'
import { Empty, PageHead } from '../parts/basics.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHead title="Not found" />
      <Empty title="There is nothing at this address">
        <p>
          It may have been mistyped, or it belongs to another organization.{' '}
          <Link to="/dashboard">Back to the overview</Link>
        </p>
      </Empty>
    </>
  )
}
