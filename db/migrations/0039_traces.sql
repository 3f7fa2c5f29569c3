-- What caused the change that a process must look at, as a W3C `traceparent`; null while traces are off.
alter table processes add column traceparent text;
