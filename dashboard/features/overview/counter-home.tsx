import { useEffect } from 'react'
import { Link } from 'wouter'
import { useHasRole, useHasTier } from '../../session.tsx'
import { DeviceSearchBox } from '../counter/device-search-box.tsx'

export function CounterHome() {
  const mayAppraise = useHasTier('paid')
  const isManager = useHasRole('manager')
  useEffect(() => {
    document.title = 'Appraise a device · Device Intelligence'
  }, [])
  return (
    <section className="home">
      <h1>Appraise a device</h1>
      {mayAppraise ? <DeviceSearchBox autoFocus /> : <p className="muted">Appraisals need the Paid tier.</p>}
      <p className="home-links">
        {isManager ? <Link to="/dashboard/list">Appraise a list</Link> : null}
        <Link to="/dashboard/appraisals">Appraisals</Link>
        <Link to="/dashboard/devices">Browse devices</Link>
        {isManager ? <Link to="/dashboard/docs">API quick start</Link> : null}
      </p>
    </section>
  )
}
