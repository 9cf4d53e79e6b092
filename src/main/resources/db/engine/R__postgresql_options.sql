-- What only PostgreSQL itself knows. Nothing depends on it: left out on an engine that speaks PostgreSQL but is another.

alter table entry set (autovacuum_vacuum_scale_factor = 0.02);
alter table response set (autovacuum_vacuum_scale_factor = 0.02);

-- Quicker than the usual compression; not every build has it.
do $$
begin
    alter table response alter column body set compression lz4;
    alter table entry_event alter column body set compression lz4;
exception when feature_not_supported or invalid_parameter_value then
    raise notice 'this server compresses without lz4';
end
$$;
