import { bundledDevices, bundledTacs } from '../../src/catalog/bundled-catalogue-service.ts'
import { catalogueTests } from './catalogue-tests.ts'

/** More than one merge step, half of them with TACs; the long suite loads all devices. */
const DEVICES = 400

const withTacs = new Set(bundledTacs().map(({ deviceId }) => deviceId))
const devices = () =>
  [true, false].flatMap((has) =>
    bundledDevices()
      .filter(({ id }) => withTacs.has(id) === has)
      .slice(0, DEVICES / 2),
  )

catalogueTests({
  devices,
  tacs() {
    const ids = new Set(devices().map(({ id }) => id))
    return bundledTacs().filter(({ deviceId }) => ids.has(deviceId))
  },
})
