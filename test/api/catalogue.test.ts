import { bundledDevices, bundledTacs } from '../../src/catalog/bundled-catalogue-service.ts'
import { catalogueTests } from './catalogue-tests.ts'

/** More than one merge step; the long suite loads all devices. */
const DEVICES = 400

const devices = () => bundledDevices().slice(0, DEVICES)

catalogueTests({
  devices,
  tacs() {
    const ids = new Set(devices().map(({ id }) => id))
    return bundledTacs().filter(({ deviceId }) => ids.has(deviceId))
  },
})
