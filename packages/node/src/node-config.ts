import type { Config, ParsedConfig } from '@junctor/config'
import type { Plugin } from '@junctor/plugin-sdk'

/** A configuration whose plugins can create their backends. */
export type NodeConfig = Config<Plugin>

/** A valid {@link NodeConfig}, or all its problems. */
export type ParsedNodeConfig = ParsedConfig<Plugin>
