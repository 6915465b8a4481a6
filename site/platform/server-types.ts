export type {
  ConfigurationShown,
  EngineFeature,
  EngineShown,
  ServedModel,
  ShownSetting,
} from '../../src/platform/contract/server.ts'
